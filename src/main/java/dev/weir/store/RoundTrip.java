package dev.weir.store;

import java.util.concurrent.TimeUnit;

/**
 * How long the way to one place of the store and back takes by itself: the shortest of its answers of the last minute, more or less.
 * What takes longer has waited for others.
 *
 * <p>A minute, for when more is asked than the store can take all answers wait for others, and the one of before must not be
 * forgotten too soon; no longer, for the store may move.
 *
 * <p>May be told on any thread.
 */
public final class RoundTrip {
    private static final long PART_NANOS = TimeUnit.SECONDS.toNanos(30);

    private long leastBefore = Long.MAX_VALUE; // in the part before this one
    private long least = Long.MAX_VALUE;
    private long partEndNanos;

    /** Creates one that knows of no answer yet. */
    public RoundTrip(long nowNanos) {
        partEndNanos = nowNanos + PART_NANOS;
    }

    /**
     * The place has answered.
     *
     * @param nanos that it took
     * @param nowNanos by a monotonic clock
     * @return the shortest in nanoseconds, with this one
     */
    public synchronized long took(long nanos, long nowNanos) {
        if (nowNanos - partEndNanos >= 0) {
            leastBefore = least;
            least = nanos;
            partEndNanos = nowNanos + PART_NANOS;
        } else if (nanos < least) {
            least = nanos;
        }
        return Math.min(least, leastBefore);
    }
}
