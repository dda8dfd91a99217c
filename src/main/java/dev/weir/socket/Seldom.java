package dev.weir.socket;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Lets a line into the log now and then, however often there is a reason for it: callers decide how often that is.
 *
 * <p>Safe for use by any thread.
 */
public final class Seldom {
    private final long pauseNanos;
    private final AtomicLong next = new AtomicLong(System.nanoTime());
    private final AtomicLong untold = new AtomicLong();

    /**
     * Creates one whose first line is due at once.
     *
     * @param pause between two lines at least
     */
    public Seldom(Duration pause) {
        this.pauseNanos = pause.toNanos();
    }

    /**
     * There is a reason for a line.
     *
     * @param line is called if it is due, with the number of reasons since the last one, this one included
     */
    public void tell(LongConsumer line) {
        untold.incrementAndGet();
        long due = next.get();
        long now = System.nanoTime();
        if (now - due >= 0 && next.compareAndSet(due, now + pauseNanos)) {
            line.accept(untold.getAndSet(0));
        }
    }
}
