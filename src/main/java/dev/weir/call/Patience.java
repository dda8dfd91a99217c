package dev.weir.call;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long callers wait, and what of it they wait in any case.
 *
 * @param most what they wait for at most, in nanoseconds, whatever they say
 * @param tripNanos how long an answer takes of late however few are inside, as far as it is not the thread's own work: in the mean,
 *     the way to a store and back, with the wait for a turn to go; 0 if there is none
 */
public record Patience(long most, LongSupplier tripNanos) {
    /** Returns that of callers whose answers take no time but the thread's own. */
    public static Patience of(Duration most) {
        return new Patience(most.toNanos(), () -> 0);
    }
}
