package dev.weir.store.memory;

/** The one source of time of the memory backend. */
@FunctionalInterface
public interface Ticker {

    /** Returns the instant in microseconds since the Unix epoch. */
    long micros();

    /**
     * Returns wall time as it was at this moment, carried on by the monotonic clock: an operator who sets the machine's
     * clock neither loses nor doubles a window.
     */
    static Ticker system() {
        long start = System.currentTimeMillis() * 1_000 - System.nanoTime() / 1_000;
        return () -> start + System.nanoTime() / 1_000;
    }
}
