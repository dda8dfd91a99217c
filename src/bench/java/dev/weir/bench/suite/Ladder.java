package dev.weir.bench.suite;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The program behind {@code make bench-ladder}: latency at one rate after the other, up to more than the service can do, with
 * Redis and in memory. Each step is an open loop without a deadline, so that what waits is seen.
 */
final class Ladder {
    private static final List<Integer> RATES =
            List.of(2_000, 5_000, 10_000, 20_000, 40_000, 60_000, 80_000, 100_000, 130_000, 160_000, 200_000, 240_000);
    private static final Duration WARM_UP = Duration.ofSeconds(8);
    private static final Duration CALM = Duration.ofSeconds(1);
    private static final Duration ROUND = Duration.ofSeconds(1);
    private static final int ROUNDS = 5;
    private static final double ENOUGH = 0.95;
    private static final PrintStream OUT = System.out;

    /**
     * A rate and what it did.
     *
     * @param rate asked for a second
     * @param verdictsPerSecond that came
     */
    record Step(int rate, double verdictsPerSecond, double p50Ms, double p99Ms, double weirMicros) {}

    /**
     * The steps of one store.
     *
     * @param store its name
     */
    record Steps(String store, List<Step> steps) {}

    /** What is written to the file. */
    record Result(Machine machine, List<Steps> stores) {}

    private Ladder() {}

    /** Measures. */
    public static void main(String[] arguments) throws InterruptedException {
        var machine = Machine.now();
        OUT.printf("%s; medians of %d rounds of %d s at each rate%n%n", machine, ROUNDS, ROUND.toSeconds());
        var stores = List.of(climb("Redis", true), climb("memory", false));
        var file = ResultFile.write("ladder.json", new Result(machine, stores));
        OUT.println("Written to " + file + " and " + Pictures.ladder(file));
    }

    private static Steps climb(String store, boolean isOnRedis) throws InterruptedException {
        OUT.println(store + ":");
        var load = Asked.closed(Scenario.ONE_DESCRIPTOR, Scenario.MANY);
        var steps = new ArrayList<Step>();
        try (var servers = Servers.start(new Scenario(store, isOnRedis, BenchRules.wide(), load))) {
            var _ = Rounds.all(load, servers.target(), Duration.ZERO, WARM_UP, 1);
            int missed = 0;
            for (int rate : RATES) {
                var step = step(rate, servers.target());
                steps.add(step);
                OUT.printf(
                        Locale.ROOT,
                        "  %,8d/s asked: %,9.0f/s answered, p50 %.2f ms, p99 %.2f ms, %.1f us of Weir%n",
                        rate,
                        step.verdictsPerSecond,
                        step.p50Ms,
                        step.p99Ms,
                        step.weirMicros);
                missed += step.verdictsPerSecond < rate * ENOUGH ? 1 : 0;
                if (missed == 2) {
                    break; // it can do no more; higher steps only make the queue longer
                }
            }
        }
        return new Steps(store, steps);
    }

    private static Step step(int rate, Target target) throws InterruptedException {
        var load = Asked.open(Scenario.ONE_DESCRIPTOR, Scenario.MANY, rate, Duration.ZERO);
        var row = Row.of("", Rounds.all(load, target, CALM, ROUND, ROUNDS), Double.NaN);
        return new Step(
                rate,
                median(row.verdictsPerSecond()),
                median(row.p50Ms()),
                median(row.p99Ms()),
                median(row.weirMicros()));
    }

    private static double median(@Nullable Spread spread) {
        return Objects.requireNonNull(spread, "Linux tells what a process costs")
                .median();
    }
}
