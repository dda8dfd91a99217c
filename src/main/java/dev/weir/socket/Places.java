package dev.weir.socket;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many connections there are on a port, and how many there may be: each takes some thousand bytes as long as it lives, and
 * callers open as many as they like.
 *
 * <p>Safe for use by any thread.
 */
public final class Places {
    private final int most;
    private final AtomicInteger taken = new AtomicInteger();
    private final LongAdder refused = new LongAdder();
    private final Runnable onRefusal;

    /**
     * Creates free places.
     *
     * @param most how many, at least 1
     * @param onRefusal is run for each connection that finds none, on an event loop: must not block
     */
    public Places(int most, Runnable onRefusal) {
        this.most = most;
        this.onRefusal = onRefusal;
    }

    /** Returns places that are never all taken. */
    public static Places unbounded() {
        return new Places(Integer.MAX_VALUE, () -> {});
    }

    /**
     * Takes a place for a connection.
     *
     * @return whether one was free; who was given none must not {@link #leave}
     */
    public boolean take() {
        if (taken.getAndUpdate(now -> now < most ? now + 1 : now) < most) {
            return true;
        }
        refused.increment();
        onRefusal.run();
        return false;
    }

    /** Gives a place back. */
    public void leave() {
        var _ = taken.decrementAndGet();
    }

    /** Returns how many are taken. */
    public int taken() {
        return taken.get();
    }

    /** Returns how many connections found none. */
    public long refused() {
        return refused.sum();
    }
}
