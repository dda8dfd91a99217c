package dev.weir.bench.suite;

import static dev.weir.bench.suite.Asked.descriptor;

import dev.weir.bench.load.Keys;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The program behind {@code make bench-scale}: what a decision costs with more rules and more keys. The services of all
 * sizes run side by side, each with a Redis of its own, and are measured in turns, so that an hour of the machine is the same for
 * all of them.
 */
final class Scale {
    /** Ten to the power of these. There are at least as many keys as rules, or no request would meet some of the rules. */
    private static final List<Size> SIZES =
            List.of(new Size(1, 3), new Size(3, 3), new Size(4, 4), new Size(1, 5), new Size(1, 6), new Size(4, 6));

    /** A million keys take their time to be asked for. */
    private static final Duration WARM_UP = Duration.ofSeconds(15);

    private static final Duration CALM = Duration.ofMillis(200);
    private static final Duration ROUND = Duration.ofSeconds(2);
    private static final int ROUNDS = 5;
    private static final PrintStream OUT = System.out;

    /** How many rules and keys there are, as powers of ten. */
    private record Size(int rules, int keys) {}

    /**
     * What was measured.
     *
     * @param store its name
     * @param weirMicros of processor time for each decision
     * @param redisMicros the same of Redis; null in memory
     */
    record Point(
            String store,
            long rules,
            long keys,
            Spread verdictsPerSecond,
            Spread weirMicros,
            @Nullable Spread redisMicros) {}

    /** What is written to the file. */
    record Result(Machine machine, List<Point> points) {}

    /** A service of one size, under its load while a round of it is measured. */
    private record Service(Size size, Servers servers, List<Round> rounds) {}

    private Scale() {}

    /** Measures. */
    public static void main(String[] arguments) throws InterruptedException {
        var machine = Machine.now();
        OUT.printf("%s; medians of %d rounds of %d s in turns%n%n", machine, ROUNDS, ROUND.toSeconds());
        var points = new ArrayList<Point>();
        points.addAll(measure("Redis", true));
        points.addAll(measure("memory", false));
        var file = ResultFile.write("scale.json", new Result(machine, points));
        OUT.println("Written to " + file + " and " + Pictures.scale(file));
    }

    private static List<Point> measure(String store, boolean isOnRedis) throws InterruptedException {
        OUT.println(store + ":");
        var services = new ArrayList<Service>();
        try {
            for (var size : SIZES) {
                services.add(start(size, isOnRedis));
            }
            for (var service : services) {
                var _ = round(service, ROUNDS, WARM_UP);
            }
            for (int i = 0; i < ROUNDS; i++) {
                for (var service : services) {
                    service.rounds.add(round(service, i, ROUND));
                }
            }
        } finally {
            services.forEach(service -> service.servers.close());
        }
        return services.stream().map(service -> point(store, service)).toList();
    }

    private static Service start(Size size, boolean isOnRedis) {
        var settings = Map.of(
                "MEMORY_MAX_COUNTERS", "2000000",
                "WEIR_HEAP", "768m"); // a million counters in memory do not fit into the preset
        return new Service(size, Servers.start(isOnRedis, BenchRules.paths(size.rules), settings), new ArrayList<>());
    }

    /** Each round draws its keys anew, so that with time all of them are there. */
    private static Round round(Service service, int number, Duration length) throws InterruptedException {
        var question = Asked.of(BenchRules.DOMAIN, descriptor("path=/p%0" + service.size.rules + "d", "user=u%d"));
        var load = Asked.closed(question, new Keys.Uniform((int) Math.pow(10, service.size.keys)));
        return Rounds.all(Asked.with(number, load), service.servers.target(), CALM, length, 1)
                .getFirst();
    }

    private static Point point(String store, Service service) {
        var point = new Point(
                store,
                (long) Math.pow(10, service.size.rules),
                (long) Math.pow(10, service.size.keys),
                Objects.requireNonNull(Spread.of(service.rounds, Round::verdictsPerSecond)),
                Objects.requireNonNull(
                        Spread.of(
                                service.rounds,
                                round -> round.microsEach(round.cpu().weir())),
                        "Linux tells what a process costs"),
                Spread.of(service.rounds, round -> round.microsEach(round.cpu().redis())));
        OUT.printf(
                Locale.ROOT,
                "  %,7d rules, %,9d keys: %,9.0f/s (%s), %.2f us of Weir (%s), %s of Redis%n",
                point.rules,
                point.keys,
                point.verdictsPerSecond.median(),
                Spread.ends("%,.0f", point.verdictsPerSecond),
                point.weirMicros.median(),
                Spread.ends("%.2f", point.weirMicros),
                Spread.cell("%.2f us", point.redisMicros));
        return point;
    }
}
