package dev.weir.store;

import java.util.concurrent.TimeUnit;

/**
 * How long the store takes by itself: the shortest of its answers of the last minute, more or less. What takes longer has waited for
 * others.
 *
 * <p>A minute, for when more is asked than the store can take all answers wait for others, and the one of before must not be
 * forgotten too soon; no longer, for the store may move.
 *
 * <p>May be told and asked on any thread. Two that tell at once may lose one of them; the next will do.
 */
public final class RoundTrip {
    private static final long PART_NANOS = TimeUnit.SECONDS.toNanos(30);

    private volatile long leastBefore = Long.MAX_VALUE; // in the part before this one
    private volatile long least = Long.MAX_VALUE;
    private volatile long partEndNanos;

    /** Creates one that knows of no answer yet. */
    public RoundTrip(long nowNanos) {
        partEndNanos = nowNanos + PART_NANOS;
    }

    /**
     * The store has answered.
     *
     * @param nanos that it took
     * @param nowNanos by a monotonic clock
     */
    public void took(long nanos, long nowNanos) {
        if (nowNanos - partEndNanos >= 0) {
            leastBefore = least;
            least = nanos;
            partEndNanos = nowNanos + PART_NANOS;
        } else if (nanos < least) {
            least = nanos;
        }
    }

    /** Returns the shortest in nanoseconds; 0 before the first. */
    public long nanos() {
        long shortest = Math.min(least, leastBefore);
        return shortest == Long.MAX_VALUE ? 0 : shortest;
    }
}
