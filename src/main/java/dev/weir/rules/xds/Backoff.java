package dev.weir.rules.xds;

import java.time.Duration;

/**
 * How long to wait before the next attempt: longer after each failure, up to a bound, and for each replica a little
 * different, so that a server that comes back is not met by all of them in the same moment.
 *
 * @param first the longest wait after one failure
 * @param longest the longest wait after any number of them
 * @param growth what the wait is multiplied by after each further failure; at least 1
 * @param spread by which part of itself chance may shorten a wait, from 0 (not at all) to 1 (to nothing)
 */
public record Backoff(Duration first, Duration longest, double growth, double spread) {

    public Backoff {
        if (!(growth >= 1) || !(spread >= 0 && spread <= 1)) {
            throw new IllegalArgumentException("a wait grows by 1 or more and is shortened by 0 to 1 of itself, not by "
                    + growth + " and " + spread);
        }
    }

    /** Returns the back-off that always waits about as long. */
    public static Backoff even(Duration wait, double spread) {
        return new Backoff(wait, wait, 1, spread);
    }

    /**
     * Returns the wait.
     *
     * @param failures how many there were in a row, at least 1
     * @param chance evenly from 0 to 1
     */
    Duration after(int failures, double chance) {
        // Far beyond the bound the power is infinite, which is still more than the bound.
        double grown = (double) first.toNanos() * Math.pow(growth, failures - 1);
        double bounded = Math.min((double) longest.toNanos(), grown);
        return Duration.ofNanos((long) (bounded * (1 - spread * chance)));
    }
}
