package dev.weir.bench.suite;

import dev.weir.bench.Totals;

/**
 * One measured stretch of time.
 *
 * @param seconds it lasted
 * @param totals what was counted in it
 * @param cpu processor time that was spent in it
 */
record Round(double seconds, Totals totals, CpuTimes cpu) {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MICROS_PER_SECOND = 1e6;

    double verdictsPerSecond() {
        return totals.verdicts() / seconds;
    }

    double millis(double percent) {
        return totals.latencyNanos(percent) / NANOS_PER_MILLI;
    }

    /** Returns what so many seconds of processor time make for each verdict, in microseconds. */
    double microsEach(double cpuSeconds) {
        return cpuSeconds * MICROS_PER_SECOND / Math.max(1, totals.verdicts());
    }
}
