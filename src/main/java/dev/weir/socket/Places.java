package dev.weir.socket;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many connections there are on a port, and how many there may be: each takes some thousand bytes as long as it lives, and
 * callers open as many as they like.
 *
 * <p>Safe for use by any thread.
 */
public final class Places {
    private static final Logger LOG = LoggerFactory.getLogger(Places.class);

    private static final long BETWEEN_LINES_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final int most;
    private final AtomicInteger taken = new AtomicInteger();
    private final LongAdder refused = new LongAdder();
    private final AtomicLong nextTold = new AtomicLong(System.nanoTime());

    /**
     * Creates free places.
     *
     * @param most how many, at least 1
     */
    public Places(int most) {
        this.most = most;
    }

    /** Returns places that are never all taken. */
    public static Places unbounded() {
        return new Places(Integer.MAX_VALUE);
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
        long due = nextTold.get();
        long now = System.nanoTime();
        if (now - due >= 0 && nextTold.compareAndSet(due, now + BETWEEN_LINES_NANOS)) {
            LOG.warn("{} connections are all that are taken: more are closed (GRPC_MAX_CONNECTIONS, WEIR_HEAP)", most);
        }
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
