package dev.weir.bench.suite;

import static dev.weir.bench.suite.Asked.closed;
import static dev.weir.bench.suite.Asked.descriptor;
import static dev.weir.bench.suite.Asked.open;

import dev.weir.bench.load.Keys;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Question;
import java.time.Duration;
import java.util.List;

/**
 * A load on a service that is started for it.
 *
 * @param name for the table
 * @param isOnRedis whether counts are kept in Redis and not in memory
 * @param rules of the service, as a file
 * @param load what is asked
 */
record Scenario(String name, boolean isOnRedis, String rules, Load load) {
    /** Users at random. */
    static final Keys MANY = new Keys.Uniform(100_000);

    /** So few that sixteen counters of each have room in memory. */
    static final Keys FEWER = new Keys.Uniform(10_000);

    static final Question ONE_DESCRIPTOR = Asked.of(BenchRules.DOMAIN, descriptor("user=u%d", "path=/api"));
    static final Question TWO_DESCRIPTORS =
            Asked.of(BenchRules.DOMAIN, descriptor("user=u%d"), descriptor("user=u%d", "path=/api"));
    private static final Keys HOT = new Keys.One();

    /** As Envoy gives by default. */
    private static final Duration DEADLINE = Duration.ofMillis(20);

    /** The lines that are measured in turns, too. */
    static final Scenario UNIFORM = redis("Redis, uniform", closed(ONE_DESCRIPTOR, MANY));

    static final Scenario TWO = redis("Redis, two descriptors", closed(TWO_DESCRIPTORS, MANY));

    /** Returns the lines of the end-to-end table. */
    static List<Scenario> table() {
        return List.of(
                UNIFORM,
                redis("Redis, hot key", closed(ONE_DESCRIPTOR, HOT)),
                new Scenario("Redis, hot key over its limit", true, BenchRules.narrow(), closed(ONE_DESCRIPTOR, HOT)),
                TWO,
                memory("memory, uniform", closed(ONE_DESCRIPTOR, MANY)),
                redis("Redis, uniform, 5,000/s", open(ONE_DESCRIPTOR, MANY, 5_000, DEADLINE)),
                redis("Redis, uniform, 20,000/s", open(ONE_DESCRIPTOR, MANY, 20_000, DEADLINE)),
                redis("Redis, uniform, 50,000/s", open(ONE_DESCRIPTOR, MANY, 50_000, DEADLINE)),
                memory("memory, uniform, 5,000/s", open(ONE_DESCRIPTOR, MANY, 5_000, DEADLINE)),
                memory("memory, uniform, 20,000/s", open(ONE_DESCRIPTOR, MANY, 20_000, DEADLINE)));
    }

    private static Scenario redis(String name, Load load) {
        return new Scenario(name, true, BenchRules.wide(), load);
    }

    private static Scenario memory(String name, Load load) {
        return new Scenario(name, false, BenchRules.wide(), load);
    }
}
