package dev.weir.limit;

import org.jspecify.annotations.Nullable;

/**
 * Hits per window of time.
 *
 * @param hits how many, 0 (nothing passes) to 2^32-1
 * @param windowSeconds how long the window is, 1 second to ten years
 */
public record Quota(long hits, long windowSeconds) {
    /** The largest number of hits that the wire can carry as {@code requests_per_unit}. */
    public static final long MAX_HITS = 0xFFFF_FFFFL;

    /** The longest window: ten years of 365 days. */
    public static final long MAX_WINDOW_SECONDS = 10 * Unit.YEAR.seconds();

    private static final long MICROS_PER_SECOND = 1_000_000;

    public Quota {
        if (hits < 0 || hits > MAX_HITS) {
            throw new IllegalArgumentException("hits of a quota must be 0 to " + MAX_HITS + ", was " + hits);
        }
        if (windowSeconds < 1 || windowSeconds > MAX_WINDOW_SECONDS) {
            throw new IllegalArgumentException(
                    "a window must be 1 to " + MAX_WINDOW_SECONDS + " seconds, was " + windowSeconds);
        }
    }

    /** Returns the quota of {@code hits} in one {@code unit}. */
    public static Quota per(Unit unit, long hits) {
        return new Quota(hits, unit.seconds());
    }

    /** Returns the window's length in microseconds. */
    public long windowMicros() {
        return windowSeconds * MICROS_PER_SECOND;
    }

    /** Returns the unit of exactly the window's length, or null if the window has a length of its own. */
    public @Nullable Unit unit() {
        return Unit.ofSeconds(windowSeconds);
    }
}
