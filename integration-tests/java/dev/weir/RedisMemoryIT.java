package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Eventually;
import dev.weir.testing.Http;
import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisRights;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirProcess;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is shown of the memory of Redis. */
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
    void each_node_of_a_cluster_shows_its_own() {
        try (var cluster = RedisCluster.start();
                var weir = WeirProcess.start(RULES, WeirProcess.on(cluster))) {
            Eventually.await("the memory shows", () -> stats(weir).contains("weir.redis.memory.used{"));
            assertThat(stats(weir).lines().filter(line -> line.startsWith("weir.redis.memory.used{")))
                    .hasSize((int) cluster.addresses().count());
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

    private static String stats(WeirProcess weir) {
        return Http.get(weir.debug("/stats")).body();
    }
}
