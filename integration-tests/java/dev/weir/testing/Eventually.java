package dev.weir.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition of another process. The wait ends with the condition; a deadline only bounds a failure. */
public final class Eventually {

    /** Ample on a loaded machine: nobody waits this long unless something is broken. */
    public static final Duration DEADLINE = Duration.ofSeconds(30);

    private static final long PAUSE_NANOS = Duration.ofMillis(5).toNanos();

    private Eventually() {}

    /** Returns once {@code condition} holds, or throws an {@link AssertionError} after {@link #DEADLINE}. */
    public static void await(String what, BooleanSupplier condition) {
        await(what, DEADLINE, condition);
    }

    /** Returns once {@code condition} holds, or throws an {@link AssertionError} that names {@code what} was awaited. */
    public static void await(String what, Duration within, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > within.toNanos()) {
                throw new AssertionError("waited %d s in vain: %s".formatted(within.toSeconds(), what));
            }
            if (Thread.interrupted()) {
                throw new AssertionError("interrupted while waiting: " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
