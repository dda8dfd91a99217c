package dev.weir.bench;

/**
 * Counts durations in buckets whose width grows with the value: 64 to each power of two, so a value read back is at most
 * 1.6 % too high and never too low. Counting costs one shift and one increment.
 */
final class Histogram {
    private static final int PART_BITS = 6;
    private static final int PARTS = 1 << PART_BITS;

    /** A quarter of an hour, and then some: whoever waited longer is counted in the last bucket. */
    private static final int LONGEST_BITS = 40;

    private static final long LONGEST = (1L << LONGEST_BITS) - 1;

    private final long[] buckets = new long[(LONGEST_BITS - PART_BITS + 1) * PARTS];
    private long count;
    private long max;

    /** Counts a duration. */
    void record(long nanos) {
        long counted = Math.clamp(nanos, 0, LONGEST);
        buckets[bucketOf(counted)]++;
        count++;
        max = Math.max(max, counted);
    }

    /** Returns how many durations were counted. */
    long count() {
        return count;
    }

    /** Returns the longest duration in nanoseconds, exactly; 0 if there is none. */
    long max() {
        return max;
    }

    /**
     * Returns a duration in nanoseconds that is not exceeded by {@code share} of all, 0 if there are none.
     *
     * @param share above 0, up to 1
     */
    long percentile(double share) {
        long rank = Math.max(1, (long) Math.ceil(share * count));
        long seen = 0;
        for (int i = 0; i < buckets.length; i++) {
            seen += buckets[i];
            if (seen >= rank) {
                return Math.min(max, highestIn(i));
            }
        }
        return max;
    }

    private static int bucketOf(long nanos) {
        if (nanos < PARTS) {
            return (int) nanos;
        }
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - PART_BITS;
        return (shift << PART_BITS) + (int) (nanos >>> shift);
    }

    private static long highestIn(int bucket) {
        if (bucket < PARTS) {
            return bucket;
        }
        int shift = (bucket >>> PART_BITS) - 1;
        long lowest = (long) (bucket & (PARTS - 1)) + PARTS;
        return ((lowest + 1) << shift) - 1;
    }
}
