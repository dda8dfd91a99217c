package dev.weir.bench.suite;

import dev.weir.bench.Tally;

/**
 * One measured stretch of time.
 *
 * @param seconds it lasted
 * @param tally what was counted in it
 * @param cpu processor time that was spent in it
 */
record Round(double seconds, Tally tally, CpuTimes cpu) {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MICROS_PER_SECOND = 1e6;

    double verdictsPerSecond() {
        return tally.verdicts() / seconds;
    }

    double millis(double percent) {
        return tally.latencyNanos(percent) / NANOS_PER_MILLI;
    }

    /** Returns what so many seconds of processor time make for each verdict, in microseconds. */
    double microsEach(double cpuSeconds) {
        return cpuSeconds * MICROS_PER_SECOND / Math.max(1, tally.verdicts());
    }
}
