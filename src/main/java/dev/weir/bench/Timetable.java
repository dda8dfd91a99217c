package dev.weir.bench;

import java.util.concurrent.TimeUnit;

/**
 * When the requests of an open loop are due: at even times from its beginning, whatever became of those before. Each time is
 * reckoned from the beginning, so that no rounding adds up.
 */
final class Timetable {
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final long startNanos;
    private final double intervalNanos;
    private long taken;

    /**
     * Begins with a request that is due at once.
     *
     * @param startNanos by any monotonic clock
     * @param rate requests a second, at least 1
     */
    Timetable(long startNanos, int rate) {
        this.startNanos = startNanos;
        this.intervalNanos = NANOS_PER_SECOND / rate;
    }

    /** Returns when the next request is due. */
    long dueNanos() {
        return startNanos + (long) (taken * intervalNanos);
    }

    /** Returns whether it is due by now. */
    boolean isDue(long nowNanos) {
        return dueNanos() - nowNanos <= 0;
    }

    /** Takes the next request from the table, and returns when it was due. */
    long take() {
        long due = dueNanos();
        taken++;
        return due;
    }
}
