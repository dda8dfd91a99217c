package dev.weir.bench;

import dev.weir.bench.load.Load;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Sends the requests of a load when it is their time. Belongs to the thread of the event loop. */
sealed interface Pace {

    /** Returns the pace of a load. */
    static Pace of(Load.Pacing pacing) {
        return switch (pacing) {
            case Load.Pacing.Closed(int streams) -> new Closed(streams);
            case Load.Pacing.Open(int rate) -> new Open(rate, System::nanoTime);
        };
    }

    /**
     * Begins to send.
     *
     * @param connections in which one that is lost is replaced by another
     */
    void begin(EventLoop loop, List<Connection> connections);

    /** A connection has come in the place of one that was lost. */
    void joined(Connection connection);

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
            connections.stream().filter(Connection::isOpen).forEach(this::joined); // the others are being replaced
        }

        @Override
        public void joined(Connection connection) {
            for (int i = connection.unanswered(); i < streams && !hasEnded; i++) {
                connection.send(System.nanoTime());
            }
            connection.flush();
        }

        @Override
        public void completed(Connection connection) {
            // One that was handed requests of another has more than its share, until these are answered.
            if (!hasEnded && connection.isOpen() && connection.unanswered() < streams) {
                connection.send(System.nanoTime());
            }
        }

        @Override
        public void end() {
            hasEnded = true;
        }
    }

    /**
     * An open loop: requests are due at even times. Time runs from when a request was due, so a stall is felt by all who
     * would have asked during it, and a generator that falls behind shows it.
     *
     * <p>Connections take turns. What is due when the thread wakes goes to one of them, and from some 10,000 a second on it does
     * not wake for each: waking costs more than the request, and who measures shares the processors with whom it measures.
     */
    final class Open implements Pace {
        private static final long LEAST_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

        /** After a stall what was missed is spread over all. */
        private static final int MOST_TOGETHER = 256;

        /** Of a rate that cannot be reached more becomes due while it sends: answers, and the end, get a turn in between. */
        private static final int MOST_TURNS = 256;

        private final int rate;
        private final LongSupplier clock;
        private final List<Connection> written = new ArrayList<>();
        private List<Connection> connections = List.of();
        private int turn;
        private boolean hasEnded;

        /**
         * Creates a pace that has not begun.
         *
         * @param clock nanoseconds, monotonic
         */
        Open(int rate, LongSupplier clock) {
            this.rate = rate;
            this.clock = clock;
        }

        @Override
        public void begin(EventLoop loop, List<Connection> all) {
            begin(loop, all, new Timetable(clock.getAsLong(), rate));
        }

        void begin(EventLoop loop, List<Connection> all, Timetable timetable) {
            connections = all;
            sendDue(loop, timetable);
        }

        private void sendDue(EventLoop loop, Timetable timetable) {
            if (hasEnded) {
                return;
            }
            long now = clock.getAsLong();
            for (int i = 0; i < MOST_TURNS && timetable.isDue(now); i++) {
                sendTogether(next(), timetable, now);
            }
            flush();
            long untilDue = timetable.dueNanos() - clock.getAsLong();
            long pause = Math.max(untilDue, LEAST_PAUSE_NANOS);
            var _ = loop.schedule(() -> sendDue(loop, timetable), pause, TimeUnit.NANOSECONDS);
        }

        private void sendTogether(Connection connection, Timetable timetable, long now) {
            for (int i = 0; i < MOST_TOGETHER && timetable.isDue(now); i++) {
                connection.send(timetable.take());
            }
            if (written.size() < connections.size()) {
                written.add(connection);
            }
        }

        /** Of thousands of connections most have nothing to send now, and to look at each would take longer than the pause. */
        private void flush() {
            List<Connection> full = written.size() < connections.size() ? written : connections;
            for (int i = 0; i < full.size(); i++) { // indexed: an iterator for each turn would be garbage
                full.get(i).flush();
            }
            written.clear();
        }

        /** In turns, without those that are lost or left; if all are, the request fails, or waits for a connection. */
        private Connection next() {
            turn = (turn + 1) % connections.size();
            for (int i = 0; i < connections.size() && !connections.get(turn).isOpen(); i++) {
                turn = (turn + 1) % connections.size();
            }
            return connections.get(turn);
        }

        @Override
        public void joined(Connection connection) {
            // It takes its turns.
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
