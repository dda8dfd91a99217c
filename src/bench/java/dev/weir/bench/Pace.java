package dev.weir.bench;

import io.grpc.netty.shaded.io.netty.channel.EventLoop;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** When requests are sent. Belongs to the thread of the event loop. */
sealed interface Pace {

    /** Returns the pace of a load. */
    static Pace of(Load load) {
        return load.rate() == 0 ? new Closed(load.streams()) : new Open(load.rate());
    }

    /** Begins to send. */
    void begin(EventLoop loop, List<Connection> connections);

    /** A request of this connection has ended. */
    void completed(Connection connection);

    /** Sends no more. */
    void end();

    /** A closed loop: each answer brings the next request, so a slow service is asked less. */
    final class Closed implements Pace {
        private final int streams;
        private boolean hasEnded;

        Closed(int streams) {
            this.streams = streams;
        }

        @Override
        public void begin(EventLoop loop, List<Connection> connections) {
            for (var connection : connections) {
                for (int i = 0; i < streams; i++) {
                    connection.send(System.nanoTime());
                }
                connection.flush();
            }
        }

        @Override
        public void completed(Connection connection) {
            if (!hasEnded && connection.isOpen()) {
                connection.send(System.nanoTime());
            }
        }

        @Override
        public void end() {
            hasEnded = true;
        }
    }

    /**
     * An open loop: requests are due at even times, whatever became of those before. Time runs from when a request was
     * due, so a stall is felt by all who would have asked during it, and a generator that falls behind shows it.
     */
    final class Open implements Pace {
        private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

        private final double interval;
        private List<Connection> connections = List.of();
        private long startNanos;
        private long sent;
        private boolean hasEnded;

        Open(int rate) {
            this.interval = NANOS_PER_SECOND / rate;
        }

        @Override
        public void begin(EventLoop loop, List<Connection> all) {
            connections = all;
            startNanos = System.nanoTime();
            sendDue(loop);
        }

        private void sendDue(EventLoop loop) {
            if (hasEnded) {
                return;
            }
            long now = System.nanoTime();
            long due = dueNanos();
            while (due <= now) {
                connections.get((int) (sent % connections.size())).send(due);
                sent++;
                due = dueNanos();
            }
            for (var connection : connections) {
                connection.flush();
            }
            var _ = loop.schedule(() -> sendDue(loop), due - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        private long dueNanos() {
            return startNanos + (long) (sent * interval);
        }

        @Override
        public void completed(Connection connection) {
            // Answers do not set the pace here.
        }

        @Override
        public void end() {
            hasEnded = true;
        }
    }
}
