package dev.weir.rules.yaml;

import org.jspecify.annotations.Nullable;

/**
 * Something read, and how much it comes to when every alias in it is written out.
 *
 * @param value what was read
 * @param size descriptors and pieces of metadata in it, counted again for each alias; at most {@link #MOST}
 */
record Sized<T extends @Nullable Object>(T value, long size) {
    /** Where counting ends: a few lines of nested aliases reach numbers that no long can hold. */
    static final long MOST = 1L << 40;

    static long sum(long one, long other) {
        return Math.min(MOST, one + other);
    }
}
