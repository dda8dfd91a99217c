package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Counts;
import dev.weir.testing.Edge;
import dev.weir.testing.EnvoyBinary;
import dev.weir.testing.Eventually;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirProcess;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a client sees when Redis is gone: what each rule says, and where it says nothing the filter's failure_mode_deny. */
final class EnvoyWithoutRedisIT {
    private static final String RULES = """
            domain: edge
            descriptors:
              - { key: path, value: /login, on_store_failure: deny, rate_limit: { unit: year, requests_per_unit: 1000 } }
              - { key: path, value: /search, on_store_failure: allow, rate_limit: { unit: year, requests_per_unit: 1 } }
              - { key: path, value: /page, on_store_failure: local, rate_limit: { unit: year, requests_per_unit: 2 } }
              - { key: path, value: /cart, rate_limit: { unit: year, requests_per_unit: 1000 } }
            """;

    @Test
    void each_path_is_answered_as_its_rule_says_until_redis_is_back() {
        EnvoyBinary.require();
        try (var redis = RedisServer.start();
                var edge = Edge.start(RULES, environment(redis), true)) {
            Eventually.await("it has counted itself", () -> Counts.statistic(edge.weir(), "weir.replicas") == 1);
            Eventually.await("Redis counts", () -> edge.get("/cart").statusCode() == 200);

            redis.stop();

            var denied = edge.get("/login");
            assertThat(denied.statusCode()).isEqualTo(429);
            assertThat(denied.headers().firstValue("x-ratelimit-reset")).hasValue("1");
            assertThat(denied.headers().allValues("retry-after")).containsExactly("1");
            for (int i = 0; i < 3; i++) {
                assertThat(edge.get("/search").statusCode())
                        .as("it counts nothing")
                        .isEqualTo(200);
            }
            assertThat(edge.get("/page").statusCode()).isEqualTo(200);
            assertThat(edge.get("/page").statusCode()).isEqualTo(200);
            assertThat(edge.get("/page").statusCode())
                    .as("its own counter is full")
                    .isEqualTo(429);
            long errors = edge.stat("error");
            assertThat(edge.get("/cart").statusCode()).as("failure_mode_deny").isEqualTo(500);
            assertThat(edge.stat("error")).isEqualTo(errors + 1);

            redis.restart();

            Eventually.await("Redis counts again", () -> edge.get("/cart").statusCode() == 200);
            Eventually.await("and in time", () -> edge.get("/login").statusCode() == 200);
        }
    }

    private static Map<String, String> environment(RedisServer redis) {
        var environment = new HashMap<>(WeirProcess.on(redis));
        environment.put("LIMIT_RETRY_AFTER_HEADER", "Retry-After");
        return environment;
    }
}
