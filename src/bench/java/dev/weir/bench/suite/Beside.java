package dev.weir.bench.suite;

import dev.weir.bench.load.Keys;
import dev.weir.bench.load.Load;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The program behind {@code make bench-beside}: Weir and envoyproxy/ratelimit, each on a Redis of its own, with the same rules
 * and the same environment, asked the same in turns. Its argument is the program of the Go service.
 */
final class Beside {
    private static final Duration WARM_UP = Duration.ofSeconds(15);
    private static final Duration CALM = Duration.ofMillis(300);
    private static final Duration ROUND = Duration.ofSeconds(3);
    private static final int ROUNDS = 5;
    private static final Duration DEADLINE = Duration.ofMillis(20);
    private static final int SLOW_RATE = 5_000;
    private static final int FAST_RATE = 20_000;

    /** The Go service has no memory of counters that are over unless it is told, and Weir has a larger one. */
    private static final Map<String, String> SETTINGS =
            Map.of("LOCAL_CACHE_SIZE_IN_BYTES", "1048576", "LOG_LEVEL", "WARN");

    private static final PrintStream OUT = System.out;

    /** What was measured of one service under one load. */
    record Point(
            String load,
            String service,
            @Nullable Spread verdictsPerSecond,
            @Nullable Spread p99Millis,
            @Nullable Spread micros,
            @Nullable Spread redisMicros,
            long errors,
            double mebibytes) {}

    /** What is written to the file. */
    record Result(Machine machine, List<Point> points) {}

    private record Service(String name, Servers servers, List<Round> rounds) {
        Service(String name, Servers servers) {
            this(name, servers, new ArrayList<>());
        }

        Target target() {
            return servers.target();
        }
    }

    private final Path goService;

    private Beside(Path goService) {
        this.goService = goService;
    }

    /** Measures. */
    public static void main(String[] arguments) throws InterruptedException {
        new Beside(Path.of(arguments[0])).measure();
    }

    private void measure() throws InterruptedException {
        var machine = Machine.now();
        OUT.printf("%s; medians of %d rounds of %d s in turns%n%n", machine, ROUNDS, ROUND.toSeconds());
        var points = new ArrayList<Point>();
        Load uniform = Asked.closed(Scenario.ONE_DESCRIPTOR, Scenario.MANY);
        Load hot = Asked.closed(Scenario.ONE_DESCRIPTOR, new Keys.One());
        points.addAll(measure("uniform", BenchRules.wide(), uniform));
        points.addAll(measure("hot key", BenchRules.wide(), hot));
        points.addAll(measure("hot key over its limit", BenchRules.narrow(), hot));
        points.addAll(measure("5,000/s", BenchRules.wide(), rate(SLOW_RATE)));
        points.addAll(measure("20,000/s", BenchRules.wide(), rate(FAST_RATE)));
        OUT.println("Written to " + ResultFile.write("beside.json", new Result(machine, points)));
    }

    private static Load rate(int rate) {
        return Asked.open(Scenario.ONE_DESCRIPTOR, Scenario.MANY, rate, DEADLINE);
    }

    private List<Point> measure(String name, String rules, Load load) throws InterruptedException {
        var services = new ArrayList<Service>();
        try {
            services.add(new Service("Weir", Servers.start(true, rules, SETTINGS)));
            services.add(new Service("envoyproxy/ratelimit", Servers.start(goService, rules, SETTINGS)));
            var full = Asked.closed(load.question(), load.keys());
            for (var service : services) {
                var _ = Rounds.all(full, service.target(), Duration.ZERO, WARM_UP, 1);
            }
            for (int i = 0; i < ROUNDS; i++) {
                for (var service : services) {
                    service.rounds.addAll(Rounds.all(Asked.with(i, load), service.target(), CALM, ROUND, 1));
                }
            }
            return services.stream().map(service -> point(name, service)).toList();
        } finally {
            services.forEach(service -> service.servers.close());
        }
    }

    private static Point point(String load, Service service) {
        var point = new Point(
                load,
                service.name,
                spread(service, Round::verdictsPerSecond),
                spread(service, round -> round.millis(99)),
                spread(service, round -> round.microsEach(round.cpu().weir())),
                spread(service, round -> round.microsEach(round.cpu().redis())),
                service.rounds.stream()
                        .mapToLong(round -> round.totals().errorCount())
                        .sum(),
                ProcessMemory.residentMebibytes(service.target().weirPid()));
        OUT.printf(
                Locale.ROOT,
                "%-23s %-21s %9s/s (%s), p99 %s ms (%s), %s us, %s us of Redis, %d errors, %.0f MiB%n",
                load,
                point.service,
                Spread.cell("%,.0f", point.verdictsPerSecond),
                Spread.ends("%,.0f", point.verdictsPerSecond),
                Spread.cell("%.2f", point.p99Millis),
                Spread.ends("%.2f", point.p99Millis),
                Spread.cell("%.1f", point.micros),
                Spread.cell("%.1f", point.redisMicros),
                point.errors,
                point.mebibytes);
        return point;
    }

    private static @Nullable Spread spread(Service service, ToDoubleFunction<Round> number) {
        return Spread.of(service.rounds, number);
    }
}
