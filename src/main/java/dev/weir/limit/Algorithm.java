package dev.weir.limit;

/**
 * The way in which hits against one limit are counted over time.
 *
 * <p>Each algorithm has a {@link Model} that says exactly what it does, and a file of the Redis script that mirrors it.
 */
public sealed interface Algorithm {

    /** Counts in windows aligned to the Unix epoch; around a boundary two of them can together admit twice the quota. */
    record FixedWindow() implements Algorithm {}

    /**
     * Weighs the oldest part of the window by how much of it is still in view, so that a boundary admits no second quota.
     *
     * @param parts into how many equal parts the window is cut, 1 to {@value #MAX_PARTS}; 1 keeps two counters
     */
    record SlidingWindow(int parts) implements Algorithm {
        /** The most parts of a window: few enough for the compact form in which Redis keeps hashes of up to 512 fields. */
        public static final int MAX_PARTS = 120;

        public SlidingWindow {
            if (parts < 1 || parts > MAX_PARTS) {
                throw new IllegalArgumentException("a window has 1 to " + MAX_PARTS + " parts, not " + parts);
            }
        }
    }

    /** Remembers each admitted hit: exact in every stretch of time, at the price of memory for each of them. */
    record SlidingLog() implements Algorithm {
        /** The largest quota that rules may count like this without saying that they mean it. */
        public static final long LARGEST_UNFORCED = 10_000;
    }

    /**
     * Takes a token for each hit from a bucket that is filled evenly.
     *
     * @param burst tokens in a full bucket, 1 to {@link Quota#MAX_HITS}
     */
    record TokenBucket(long burst) implements Algorithm {
        public TokenBucket {
            requireBurst(burst);
        }
    }

    /**
     * Pours hits into a bucket that leaks evenly, and says how long each of them had to wait inside.
     *
     * @param burst hits that the bucket holds, 1 to {@link Quota#MAX_HITS}
     */
    record LeakyBucket(long burst) implements Algorithm {
        public LeakyBucket {
            requireBurst(burst);
        }
    }

    /**
     * Spaces hits evenly and lets some arrive ahead of schedule: the generic cell rate algorithm.
     *
     * @param burst hits admitted at once after a long silence, 1 to {@link Quota#MAX_HITS}
     */
    record Gcra(long burst) implements Algorithm {
        public Gcra {
            requireBurst(burst);
        }
    }

    private static void requireBurst(long burst) {
        if (burst < 1 || burst > Quota.MAX_HITS) {
            throw new IllegalArgumentException("a burst must be 1 to " + Quota.MAX_HITS + ", was " + burst);
        }
    }

    /** Returns the number that stands for this algorithm in counter keys and in calls of the script: never reused. */
    default int number() {
        return switch (this) {
            case FixedWindow _ -> 1;
            case SlidingWindow(int parts) -> parts == 1 ? 2 : 3;
            case SlidingLog _ -> 4;
            case TokenBucket _ -> 5;
            case LeakyBucket _ -> 6;
            case Gcra _ -> 7;
        };
    }

    /** Returns the charge of limits that state none: what envoyproxy/ratelimit does, and only there. */
    default Charge defaultCharge() {
        return this instanceof FixedWindow ? Charge.ALWAYS : Charge.ON_ADMIT;
    }

    /** Returns whether refused hits can be counted: a log would grow with them, and a bucket holds no more than its burst. */
    default boolean canCharge(Charge charge) {
        return switch (this) {
            case FixedWindow _, SlidingWindow _ -> true;
            case SlidingLog _, TokenBucket _, LeakyBucket _, Gcra _ -> charge != Charge.ALWAYS;
        };
    }

    /** Returns how many hits {@code quota} admits at once after a long silence: the quota's, or the burst. */
    default long capacity(Quota quota) {
        return switch (this) {
            case FixedWindow _, SlidingWindow _, SlidingLog _ -> quota.hits();
            case TokenBucket(long burst) -> quota.hits() == 0 ? 0 : burst;
            case LeakyBucket(long burst) -> quota.hits() == 0 ? 0 : burst;
            case Gcra(long burst) -> quota.hits() == 0 ? 0 : burst;
        };
    }

    /** Returns whether hits become free again one by one, evenly, and not all at once. */
    default boolean isEven() {
        return switch (this) {
            case FixedWindow _, SlidingWindow _, SlidingLog _ -> false;
            case TokenBucket _, LeakyBucket _, Gcra _ -> true;
        };
    }

    /**
     * Returns this way of counting for another quota: the burst in the same ratio to it, at least 1. Where parts do not fill
     * the other window there is only one, and a log that would grow beyond what rules may have unforced becomes two counters.
     */
    default Algorithm scaled(Quota from, Quota to) {
        return switch (this) {
            case FixedWindow _ -> this;
            case SlidingWindow(int parts) -> to.windowMicros() % parts == 0 ? this : new SlidingWindow(1);
            case SlidingLog _ ->
                to.hits() <= Math.max(from.hits(), SlidingLog.LARGEST_UNFORCED) ? this : new SlidingWindow(1);
            case TokenBucket(long burst) -> new TokenBucket(scaledBurst(burst, from, to));
            case LeakyBucket(long burst) -> new LeakyBucket(scaledBurst(burst, from, to));
            case Gcra(long burst) -> new Gcra(scaledBurst(burst, from, to));
        };
    }

    private static long scaledBurst(long burst, Quota from, Quota to) {
        long scaled = from.hits() == 0 ? to.hits() : Exact.quotient(burst, to.hits(), from.hits());
        return Math.clamp(scaled, 1, Math.max(1, largestBurst(to)));
    }

    /**
     * Returns the largest burst that can be counted exactly with {@code quota}: the time to earn it back and a window more,
     * in microseconds, stay below 2^53. At least the quota's hits, so no burst but a stated one is ever too large.
     */
    static long largestBurst(Quota quota) {
        return quota.hits() == 0
                ? Quota.MAX_HITS
                : Math.min(
                        Quota.MAX_HITS,
                        Exact.quotient(Exact.MAX - quota.windowMicros(), quota.hits(), quota.windowMicros()));
    }
}
