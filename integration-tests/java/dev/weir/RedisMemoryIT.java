package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Eventually;
import dev.weir.testing.Http;
import dev.weir.testing.MostlyWaits;
import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisRights;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirProcess;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is shown of the memory of Redis, and said of one that forgets counters. */
@MostlyWaits
final class RedisMemoryIT {
    private static final Map<String, String> RULES = Map.of("edge.yaml", """
        domain: edge
        descriptors:
          - { key: user, rate_limit: { unit: year, requests_per_unit: 10 } }
        """);

    @Test
    void what_a_redis_uses_and_may_use_is_shown() {
        try (var redis = RedisServer.startWith("--maxmemory", "50mb");
                var weir = WeirProcess.start(RULES, WeirProcess.on(redis))) {
            Eventually.await("the memory shows", () -> stats(weir).contains("weir.redis.memory.used{"));
            assertThat(stats(weir))
                    .contains("weir.redis.memory.max{node=" + redis.address() + "}: 52428800")
                    .containsPattern("weir\\.redis\\.memory\\.used\\{node=" + redis.address() + "}: [0-9]{6,}");
        }
    }

    @Test
    void a_redis_that_forgets_counters_is_warned_of_and_what_it_evicts_is_counted() {
        try (var redis = RedisServer.startWith("--maxmemory", "10mb", "--maxmemory-policy", "allkeys-lru")) {
            evictSome(redis); // before our time: not counted
            redis.command("FLUSHALL");
            try (var weir = WeirProcess.start(RULES, WeirProcess.on(redis))) {
                weir.awaitOutput("WARN  Redis at " + redis.address()
                        + " will forget counters when it is full (maxmemory-policy allkeys-lru)");
                Eventually.await("the memory shows", () -> stats(weir).contains("weir.redis.memory.evicts{"));
                assertThat(stats(weir)).contains(meter("memory.evicts", redis) + 1, meter("evicted.keys", redis) + 0);

                evictSome(redis);
                redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
                weir.awaitOutput("WARN  Redis at " + redis.address() + " was full and has evicted keys");
                weir.awaitOutput("INFO  Redis at " + redis.address() + " will forget no counters any more");
                assertThat(stats(weir))
                        .contains(meter("memory.evicts", redis) + 0)
                        .containsPattern("weir\\.redis\\.evicted\\.keys\\{node=" + redis.address() + "}: [1-9]");
            }
        }
    }

    /** Then somebody wants to know how full it is. */
    @Test
    void a_redis_that_is_full_and_refuses_every_hit_goes_on_telling() {
        try (var redis = RedisServer.start();
                var weir = WeirProcess.start(RULES, WeirProcess.on(redis))) {
            Eventually.await("the memory shows", () -> stats(weir).contains(meter("memory.max", redis) + 0));
            redis.command("CONFIG", "SET", "maxmemory", "1000");
            weir.awaitOutput("command not allowed when used memory > 'maxmemory'");
            Eventually.await("the bound shows", () -> stats(weir).contains(meter("memory.max", redis) + 1000));
        }
    }

    @Test
    void each_node_of_a_cluster_shows_its_own() {
        try (var cluster = RedisCluster.start();
                var weir = WeirProcess.start(RULES, WeirProcess.on(cluster))) {
            Eventually.await(
                    "the memory of each shows",
                    () -> { // they are asked one after the other
                        var page = stats(weir);
                        return cluster.addresses()
                                .allMatch(node -> page.contains("weir.redis.memory.used{node=" + node + "}"));
                    });
        }
    }

    @Test
    void a_user_who_may_not_ask_is_told_of_once() {
        try (var redis = RedisServer.start()) {
            var user = Stream.of("ACL", "SETUSER", "weir", "on", ">secret", "~*");
            redis.command(Stream.concat(user, Stream.of(RedisRights.OF_THE_PAGE.split(" ")))
                    .toArray(String[]::new));
            var environment = new HashMap<>(WeirProcess.on(redis));
            environment.put("REDIS_AUTH", "weir:secret");
            try (var weir = WeirProcess.start(RULES, environment)) {
                weir.awaitOutput("the metrics will not show the memory of Redis, which does not tell it: NOPERM");
                assertThat(stats(weir)).doesNotContain("weir.redis.memory");
            }
        }
    }

    private static void evictSome(RedisServer redis) {
        long before = evictedKeys(redis);
        var value = "x".repeat(100_000);
        var keys = new AtomicInteger();
        Eventually.await("Redis evicts", () -> {
            redis.command("SET", "of somebody else " + keys.incrementAndGet(), value);
            return evictedKeys(redis) > before;
        });
    }

    private static long evictedKeys(RedisServer redis) {
        return String.valueOf(redis.command("INFO", "stats"))
                .lines()
                .filter(line -> line.startsWith("evicted_keys:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .sum();
    }

    private static String meter(String name, RedisServer redis) {
        return "weir.redis." + name + "{node=" + redis.address() + "}: ";
    }

    private static String stats(WeirProcess weir) {
        return Http.get(weir.debug("/stats")).body();
    }
}
