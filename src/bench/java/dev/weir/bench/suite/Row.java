package dev.weir.bench.suite;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a load measured, over all its rounds.
 *
 * @param name of the load
 * @param rounds how many there were
 * @param verdictsPerSecond answered in time
 * @param timesIncr these by the INCRs of redis-benchmark in the same run; null where that means nothing
 * @param p50Ms median of the latencies
 * @param errors of all rounds together
 * @param overShare of all verdicts
 * @param weirMicros of processor time for each verdict
 * @param redisMicros the same of Redis; null where there is none
 * @param loadMicros the same of the load generator
 * @param firstError what it was, null if there was none
 */
record Row(
        String name,
        int rounds,
        @Nullable Spread verdictsPerSecond,
        @Nullable Double timesIncr,
        @Nullable Spread p50Ms,
        @Nullable Spread p99Ms,
        @Nullable Spread p999Ms,
        @Nullable Spread maxMs,
        long errors,
        double overShare,
        @Nullable Spread weirMicros,
        @Nullable Spread redisMicros,
        @Nullable Spread loadMicros,
        @Nullable String firstError) {

    /**
     * Sums rounds up.
     *
     * @param incr INCRs a second, not a number where the load says nothing about speed
     */
    static Row of(String name, List<Round> rounds, double incr) {
        var speed = Spread.of(rounds, Round::verdictsPerSecond);
        long verdicts =
                rounds.stream().mapToLong(round -> round.totals().verdicts()).sum();
        long over = rounds.stream().mapToLong(round -> round.totals().over()).sum();
        return new Row(
                name,
                rounds.size(),
                speed,
                Double.isNaN(incr) || speed == null ? null : speed.median() / incr,
                Spread.of(rounds, round -> round.millis(50)),
                Spread.of(rounds, round -> round.millis(99)),
                Spread.of(rounds, round -> round.millis(99.9)),
                Spread.of(rounds, round -> round.millis(100)),
                rounds.stream().mapToLong(round -> round.totals().errorCount()).sum(),
                (double) over / Math.max(1, verdicts),
                Spread.of(rounds, round -> round.microsEach(round.cpu().weir())),
                Spread.of(rounds, round -> round.microsEach(round.cpu().redis())),
                Spread.of(rounds, round -> round.microsEach(round.cpu().generator())),
                rounds.stream()
                        .map(round -> round.totals().firstError())
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null));
    }
}
