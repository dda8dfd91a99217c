package dev.weir.limit;

/** The way in which hits against one limit are counted over time. */
public sealed interface Algorithm {

    /**
     * Counts in windows aligned to the Unix epoch; around a boundary two of them can together admit twice the quota.
     * {@link FixedWindowModel} is its arithmetic.
     */
    record FixedWindow() implements Algorithm {}

    /** Returns the number that stands for this algorithm in counter keys and in calls of the script: never reused. */
    default int number() {
        return switch (this) {
            case FixedWindow _ -> 1;
        };
    }
}
