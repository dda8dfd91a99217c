package dev.weir.socket;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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

    private final int most;
    private final AtomicInteger taken = new AtomicInteger();
    private final LongAdder refused = new LongAdder();
    private final AtomicBoolean isTold = new AtomicBoolean();

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
        if (taken.incrementAndGet() <= most) {
            return true;
        }
        taken.decrementAndGet();
        refused.increment();
        if (isTold.compareAndSet(false, true)) {
            LOG.warn("{} connections are all that are taken: more are closed (GRPC_MAX_CONNECTIONS, WEIR_HEAP)", most);
        }
        return false;
    }

    /** Gives a place back. What was told is told again only after a tenth of the places was free. */
    public void leave() {
        if (taken.decrementAndGet() < most - most / 10) {
            isTold.set(false);
        }
    }

    /** Returns how many are taken. */
    public int taken() {
        return Math.min(most, taken.get());
    }

    /** Returns how many connections found none. */
    public long refused() {
        return refused.sum();
    }
}
