package dev.weir.limit;

/**
 * A quota, the way in which hits against it are counted, and what a refusal leads to.
 *
 * @param quota hits per window
 * @param algorithm how they are counted
 * @param charge when they are counted; one that the algorithm can do
 * @param blockSeconds how long the counter is locked after a refusal, up to {@link Quota#MAX_WINDOW_SECONDS}; 0 for not at
 *     all
 */
public record Limit(Quota quota, Algorithm algorithm, Charge charge, long blockSeconds) {
    private static final long MICROS_PER_SECOND = 1_000_000;

    public Limit {
        if (!algorithm.canCharge(charge)) {
            throw new IllegalArgumentException(algorithm + " cannot charge " + charge);
        }
        if (blockSeconds < 0 || blockSeconds > Quota.MAX_WINDOW_SECONDS) {
            throw new IllegalArgumentException(
                    "a counter is locked for 0 to " + Quota.MAX_WINDOW_SECONDS + " seconds, not " + blockSeconds);
        }
        if (algorithm instanceof Algorithm.SlidingWindow(int parts) && quota.windowMicros() % parts != 0) {
            throw new IllegalArgumentException(parts + " equal parts do not fill " + quota);
        }
        if (algorithm.isEven() && algorithm.capacity(quota) > Algorithm.largestBurst(quota)) {
            throw new IllegalArgumentException(
                    "a burst of " + algorithm.capacity(quota) + " is too large for " + quota);
        }
    }

    /** Returns the limit that counts {@code quota} in fixed windows, as envoyproxy/ratelimit does. */
    public static Limit fixedWindow(Quota quota) {
        return of(quota, new Algorithm.FixedWindow());
    }

    /** Returns the limit that counts {@code quota} with the algorithm's default charge and locks nothing. */
    public static Limit of(Quota quota, Algorithm algorithm) {
        return new Limit(quota, algorithm, algorithm.defaultCharge(), 0);
    }

    /** Returns this limit without its lock: a rule that refuses nothing locks nothing. */
    public Limit withoutLock() {
        return blockSeconds == 0 ? this : new Limit(quota, algorithm, charge, 0);
    }

    /**
     * Returns what one of so many replicas may admit by itself, so that all together admit no more than this limit: an equal part of the
     * hits, and of the burst, of which each has one at least. Of fewer hits than there are replicas each admits one, in a window that
     * is longer in proportion.
     *
     * @param replicas at least 1
     */
    public Limit share(int replicas) {
        if (replicas == 1 || quota.hits() == 0) {
            return this;
        }
        Quota part = quota.hits() >= replicas
                ? new Quota(quota.hits() / replicas, quota.windowSeconds())
                : new Quota(
                        1,
                        Math.min(
                                Quota.MAX_WINDOW_SECONDS,
                                Math.ceilDiv(quota.windowSeconds() * replicas, quota.hits())));
        // What comes at once is divided by the replicas, also where their hits are a little less than the limit, or a
        // little more.
        Quota whole = new Quota(part.hits() * replicas, quota.windowSeconds());
        return new Limit(part, algorithm.scaled(whole, part), charge, blockSeconds);
    }

    /** Returns how long the counter is locked after a refusal, in microseconds; 0 for not at all. */
    public long blockMicros() {
        return blockSeconds * MICROS_PER_SECOND;
    }

    /** Returns how many hits are admitted at once after a long silence. */
    public long capacity() {
        return algorithm.capacity(quota);
    }
}
