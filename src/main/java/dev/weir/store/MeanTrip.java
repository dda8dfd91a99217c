package dev.weir.store;

/**
 * How long the way to the store and back takes by itself, in the mean of what was answered of late: places may lie nearer and farther.
 *
 * <p>May be told and asked on any thread. Of two that tell at once one may be lost; the next will do.
 */
public final class MeanTrip {
    /** One answer changes the mean by this part. */
    private static final int PART = 64;

    private volatile long nanos;

    /**
     * A place has answered.
     *
     * @param tripNanos how long the way to it takes by itself, with the wait for a turn
     */
    public void to(long tripNanos) {
        long before = nanos;
        nanos = before == 0 ? tripNanos : before + (tripNanos - before) / PART;
    }

    /** Returns the mean in nanoseconds; 0 before the first answer. */
    public long nanos() {
        return nanos;
    }
}
