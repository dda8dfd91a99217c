package dev.weir.http2;

import dev.weir.call.Head;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends calls a moment before their deadlines, so that they end by an answer; gRPC's clients cancel by themselves.
 *
 * <p>A timer for each call would cost as much as a decision, and nearly none is late. So a connection has one, for the earliest
 * deadline it has heard of; when it fires, all open calls are looked through for those that are late, and for the next one.
 * Callers may name deadlines of years, so a timer that is not needed any more must not wait for its time.
 */
final class Deadlines {
    private static final long AHEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * Looking through many calls has its price too. With the answers that it writes it may take a tenth of the time, within these
     * bounds: of very many calls that are late some end up to five milliseconds after their deadlines.
     */
    private static final long LEAST_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private static final long MOST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int PAUSES = 10;

    private final Connection connection;
    private final EventLoop loop;
    private @Nullable Future<?> timer;
    private boolean isSet;
    private long dueNanos;
    private long nowNanos;
    private long pauseNanos = LEAST_PAUSE_NANOS;

    Deadlines(Connection connection, EventLoop loop) {
        this.connection = connection;
        this.loop = loop;
    }

    /** Minds the deadline of a call that has begun, if it has one. */
    void mind(long deadlineNanos) {
        if (deadlineNanos == Head.NO_DEADLINE) {
            return;
        }
        long due = deadlineNanos - AHEAD_NANOS;
        if (!isSet || due - dueNanos < 0) {
            schedule(due, System.nanoTime());
        }
    }

    private void schedule(long due, long now) {
        isSet = true;
        dueNanos = due;
        stop();
        timer = loop.schedule(this::fire, Math.max(pauseNanos, due - now), TimeUnit.NANOSECONDS);
    }

    /** The connection has ended, and its calls with it; or there is another timer to come. */
    void stop() {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    private void fire() {
        nowNanos = System.nanoTime();
        isSet = false;
        connection.toEnd(this::isLate).forEach(Exchange::expire);
        long doneNanos = System.nanoTime();
        pauseNanos = Math.clamp(PAUSES * (doneNanos - nowNanos), LEAST_PAUSE_NANOS, MOST_PAUSE_NANOS);
        if (isSet) {
            schedule(dueNanos, doneNanos);
        }
        connection.endRound();
    }

    /** Returns whether it is time for a call to end; if not, the timer may be for it. */
    private boolean isLate(Http2Stream stream) {
        Exchange exchange = connection.exchange(stream);
        if (exchange == null || exchange.deadlineNanos() == Head.NO_DEADLINE) {
            return false;
        }
        long due = exchange.deadlineNanos() - AHEAD_NANOS;
        if (due - nowNanos <= 0) {
            return true;
        }
        if (!isSet || due - dueNanos < 0) {
            isSet = true;
            dueNanos = due;
        }
        return false;
    }
}
