package dev.weir.bench.suite;

import dev.weir.bench.load.Load;
import dev.weir.testing.Http;
import dev.weir.testing.WeirProcess;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The program behind {@code make bench-cold}: how long it takes from exec to the first 200 of {@code /healthcheck}, and what
 * callers feel who begin with 5,000 requests a second at that moment.
 */
final class ColdStart {
    private static final int RATE = 5_000;
    private static final int RUNS = 5;
    private static final int SECONDS = 5;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration DEADLINE = Duration.ofMillis(20);
    private static final Duration GENERATOR_WARM_UP = Duration.ofSeconds(8);
    private static final Duration LOOK_EVERY = Duration.ofMillis(5);
    private static final PrintStream OUT = System.out;

    /**
     * What one start did.
     *
     * @param readyMs from exec until it was healthy
     * @param lost requests that were not answered in time
     * @param slowestMs the slowest answer of each second
     */
    record Start(String store, long readyMs, long lost, List<Double> slowestMs) {}

    /** What is written to the file. */
    record Result(Machine machine, List<Start> starts) {}

    private ColdStart() {}

    /** Measures. */
    public static void main(String[] arguments) throws InterruptedException {
        var machine = Machine.now();
        OUT.printf("%s; %,d a second with %d ms from the first 200 on%n", machine, RATE, DEADLINE.toMillis());
        var load = Asked.open(Scenario.ONE_DESCRIPTOR, Scenario.MANY, RATE, DEADLINE);
        try (var servers = Servers.start(new Scenario("", false, BenchRules.wide(), load))) {
            var _ = Rounds.all(load, servers.target(), Duration.ZERO, GENERATOR_WARM_UP, 1); // of the generator itself
        }
        var starts = new ArrayList<Start>();
        for (int i = 0; i < RUNS; i++) {
            starts.add(start("memory", Map.of(), load));
            try (var redis = RedisOnPath.start()) {
                starts.add(start("Redis", Servers.on(redis), load));
            }
        }
        OUT.println("Written to " + ResultFile.write("cold-start.json", new Result(machine, starts)));
    }

    private static Start start(String store, Map<String, String> on, Load load) throws InterruptedException {
        var environment = new HashMap<>(on);
        environment.put("WARM_UP", "1s");
        long exec = System.nanoTime();
        try (var weir = WeirProcess.launch(Map.of("bench.yaml", BenchRules.wide()), environment)) {
            while (!Http.answers(weir.http("/healthcheck"), "OK")) {
                Thread.sleep(LOOK_EVERY);
            }
            long readyMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - exec);
            var slowest = new ArrayList<Double>();
            long lost = 0;
            try (var rounds = Rounds.begin(load, Servers.target(weir, null))) {
                for (int i = 0; i < SECONDS; i++) {
                    var round = rounds.next(SECOND);
                    slowest.add(round.millis(100));
                    lost += round.totals().errorCount();
                }
            }
            OUT.printf(
                    Locale.ROOT,
                    "  %-6s ready after %,5d ms, %,5d lost, slowest of each second: %s ms%n",
                    store,
                    readyMs,
                    lost,
                    String.join(
                            ", ",
                            slowest.stream()
                                    .map(millis -> String.format(Locale.ROOT, "%.1f", millis))
                                    .toList()));
            return new Start(store, readyMs, lost, slowest);
        }
    }
}
