package dev.weir.bench.suite;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two closed loops on one Weir in turns, so that a slow minute of the machine is the same for both.
 *
 * @param first what was measured of the one
 * @param second of the other
 * @param ratio decisions a second of the second by those of the first, turn by turn
 */
record InTurns(Row first, Row second, @Nullable Spread ratio) {
    private static final Duration WARM_UP = Duration.ofSeconds(6);
    private static final Duration CALM = Duration.ofMillis(300);
    private static final Duration ROUND = Duration.ofSeconds(3);
    private static final int TURNS = 7;

    /** Measures a service that has the rules of the second. */
    static InTurns of(Scenario first, Scenario second) throws InterruptedException {
        try (var servers = Servers.start(second)) {
            var target = servers.target();
            List<Round> firsts = new ArrayList<>();
            List<Round> seconds = new ArrayList<>();
            var _ = Rounds.all(first.load(), target, Duration.ZERO, WARM_UP, 1);
            var _ = Rounds.all(second.load(), target, Duration.ZERO, WARM_UP, 1);
            for (int i = 0; i < TURNS; i++) {
                firsts.addAll(Rounds.all(Asked.with(i, first.load()), target, CALM, ROUND, 1));
                seconds.addAll(Rounds.all(Asked.with(i, second.load()), target, CALM, ROUND, 1));
            }
            double[] ratios = new double[TURNS];
            for (int i = 0; i < TURNS; i++) {
                ratios[i] = seconds.get(i).verdictsPerSecond() / firsts.get(i).verdictsPerSecond();
            }
            return new InTurns(
                    Row.of(first.name() + ", in turns", firsts, Double.NaN),
                    Row.of(second.name() + ", in turns", seconds, Double.NaN),
                    Spread.of(ratios));
        }
    }
}
