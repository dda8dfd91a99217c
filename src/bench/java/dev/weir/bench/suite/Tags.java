package dev.weir.bench.suite;

import dev.weir.bench.load.Load;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirProcess;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The program behind {@code make bench-tags}: into how many hash tags counters are best spread over a cluster of three nodes,
 * beside one node alone. One Weir for each, measured in turns.
 */
final class Tags {
    private static final List<Integer> TAGS = List.of(8, 16, 128);
    private static final int CONNECTIONS = 4;
    private static final int STREAMS = 64;
    private static final long SEED = 1;
    private static final Duration WARM_UP = Duration.ofSeconds(6);
    private static final Duration CALM = Duration.ofMillis(200);
    private static final Duration ROUND = Duration.ofSeconds(2);
    private static final int ROUNDS = 5;
    private static final PrintStream OUT = System.out;

    /** What was measured. */
    record Point(String name, Spread verdictsPerSecond, Spread weirMicros) {}

    /** What is written to the file. */
    record Result(Machine machine, List<Point> points) {}

    private record Service(String name, WeirProcess weir, Target target, List<Round> rounds) {}

    private Tags() {}

    /** Measures. */
    public static void main(String[] arguments) throws InterruptedException {
        var machine = Machine.now();
        OUT.printf("%s; medians of %d rounds of %d s in turns%n", machine, ROUNDS, ROUND.toSeconds());
        var services = new ArrayList<Service>();
        try (var redis = RedisOnPath.start();
                var cluster = RedisOnPath.startCluster()) {
            try {
                services.add(start("one node", Servers.on(redis), redis));
                for (int tags : TAGS) {
                    var environment = new HashMap<>(Servers.on(cluster));
                    environment.put("REDIS_HASH_TAGS", Integer.toString(tags));
                    services.add(start("three nodes, " + tags + " tags", environment, null));
                }
                measure(services);
            } finally {
                services.forEach(service -> service.weir.close());
            }
        }
        var points = services.stream().map(Tags::point).toList();
        OUT.println("Written to " + ResultFile.write("tags.json", new Result(machine, points)));
    }

    private static Service start(String name, Map<String, String> environment, @Nullable RedisServer redis) {
        var weir = Servers.weir(BenchRules.wide(), environment);
        return new Service(name, weir, Servers.target(weir, redis), new ArrayList<>());
    }

    private static void measure(List<Service> services) throws InterruptedException {
        var load = new Load(
                Scenario.ONE_DESCRIPTOR,
                Scenario.MANY,
                CONNECTIONS,
                new Load.Pacing.Closed(STREAMS),
                Duration.ZERO,
                SEED);
        for (var service : services) {
            var _ = Rounds.all(load, service.target, Duration.ZERO, WARM_UP, 1);
        }
        for (int i = 0; i < ROUNDS; i++) {
            for (var service : services) {
                service.rounds.addAll(Rounds.all(Asked.with(i, load), service.target, CALM, ROUND, 1));
            }
        }
    }

    private static Point point(Service service) {
        var point = new Point(
                service.name,
                Objects.requireNonNull(Spread.of(service.rounds, Round::verdictsPerSecond)),
                Objects.requireNonNull(Spread.of(
                        service.rounds, round -> round.microsEach(round.cpu().weir()))));
        OUT.printf(
                Locale.ROOT,
                "  %-22s %,9.0f/s (%s), %.2f us of Weir%n",
                point.name,
                point.verdictsPerSecond.median(),
                Spread.ends("%,.0f", point.verdictsPerSecond),
                point.weirMicros.median());
        return point;
    }
}
