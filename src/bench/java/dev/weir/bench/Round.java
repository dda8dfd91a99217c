package dev.weir.bench;

/**
 * One measured stretch of time.
 *
 * @param seconds it lasted
 * @param tally what was counted
 * @param cpu processor time that was spent in it
 */
record Round(double seconds, Tally tally, CpuTimes cpu) {

    double verdictsPerSecond() {
        return tally.verdicts() / seconds;
    }
}
