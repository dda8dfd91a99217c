package dev.weir.bench.suite;

import static dev.weir.bench.suite.Asked.descriptor;

import dev.weir.bench.load.Keys;
import dev.weir.bench.load.Load;
import dev.weir.testing.WeirProcess;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The program behind {@code make bench-reload}: what callers feel of 10,000 rules that are loaded anew each other second, with
 * two hundred of them changed: a hundred that get another limit, and the hundred before that get theirs back (the first reload
 * changes one hundred). Rounds with and without a reload in turns.
 */
final class Reload {
    private static final int DIGITS = 4;
    private static final int RATE = 20_000;
    private static final Duration DEADLINE = Duration.ofMillis(20);
    private static final Duration FULL_LOAD = Duration.ofSeconds(15);
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Duration ROUND = Duration.ofSeconds(1);
    private static final int ROUNDS = 20;
    private static final PrintStream OUT = System.out;

    /** What is written to the file. */
    record Result(Machine machine, Row quiet, Row reloading) {}

    private Reload() {}

    /** Measures. */
    public static void main(String[] arguments) throws InterruptedException {
        var machine = Machine.now();
        OUT.printf("%s; %,d a second, rounds of %d s in turns%n", machine, RATE, ROUND.toSeconds());
        var load = Asked.open(
                Asked.of(BenchRules.DOMAIN, descriptor("path=/p%04d", "user=u1")),
                new Keys.Uniform(10_000),
                RATE,
                DEADLINE);
        try (var redis = RedisOnPath.start();
                var weir = Servers.weir(BenchRules.paths(DIGITS), Servers.on(redis))) {
            measure(machine, load, weir, Servers.target(weir, redis));
        }
    }

    private static void measure(Machine machine, Load load, WeirProcess weir, Target target)
            throws InterruptedException {
        var full = Asked.closed(load.question(), load.keys());
        var _ = Rounds.all(full, target, Duration.ZERO, FULL_LOAD, 1);
        var quiet = new ArrayList<Round>();
        var reloading = new ArrayList<Round>();
        try (var rounds = Rounds.begin(load, target)) {
            var _ = rounds.next(WARM_UP);
            for (int i = 0; i < ROUNDS; i++) {
                quiet.add(rounds.next(ROUND));
                weir.write("bench.yaml", BenchRules.paths(DIGITS, i));
                reloading.add(rounds.next(ROUND));
            }
        }
        tell("quiet", quiet);
        tell("reloading", reloading);
        var result =
                new Result(machine, Row.of("quiet", quiet, Double.NaN), Row.of("reloading", reloading, Double.NaN));
        OUT.println("Written to " + ResultFile.write("reload.json", result));
    }

    private static void tell(String name, List<Round> rounds) {
        double[] p99 =
                rounds.stream().mapToDouble(round -> round.millis(99)).sorted().toArray();
        double[] max =
                rounds.stream().mapToDouble(round -> round.millis(100)).sorted().toArray();
        long errors =
                rounds.stream().mapToLong(round -> round.totals().errorCount()).sum();
        OUT.printf(
                Locale.ROOT,
                "%-10s p99 of a round: median %.2f, worst %.2f ms; slowest answer %.2f ms; %d errors%n",
                name,
                p99[p99.length / 2],
                p99[p99.length - 1],
                max[max.length - 1],
                errors);
    }
}
