package dev.weir;

import static dev.weir.testing.Caller.descriptor;
import static dev.weir.testing.Caller.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Caller;
import dev.weir.testing.Eventually;
import dev.weir.testing.Http;
import dev.weir.testing.MostlyWaits;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A second Redis for limits per second, as the environment asks for it. */
@MostlyWaits
final class PerSecondIT {
    private static final String PREFIX = "shared:";

    /** No second runs out, whatever the machine does meanwhile. */
    private static final Map<String, String> RULES = Map.of("edge.yaml", """
        domain: edge
        descriptors:
          - { key: year, rate_limit: { unit: year, requests_per_unit: 10 } }
          - { key: second, rate_limit: { unit: second, requests_per_unit: 1000000 } }
          - { key: bucket, rate_limit: { unit: year, requests_per_unit: 1, algorithm: token_bucket, burst: 10 } }
        """);

    @Test
    void limits_of_a_second_are_counted_in_the_second_redis() {
        try (var first = RedisServer.start();
                var second = RedisServer.start();
                var weir = WeirProcess.start(RULES, onBoth(first, second));
                var caller = Caller.of(weir)) {
            assertThat(caller.hit("edge", "year", "ann").getLimitRemaining()).isEqualTo(9);
            Eventually.await(
                    "the second Redis keeps a second",
                    () -> { // which it forgets soon
                        caller.hit("edge", "second", "ann");
                        return keys(second).stream().anyMatch(key -> key.contains("second"));
                    });
            assertThat(keys(first))
                    .allMatch(key -> key.startsWith(PREFIX))
                    .anyMatch(key -> key.contains("year"))
                    .noneMatch(key -> key.contains("second"));
            assertThat(keys(second)).allMatch(key -> key.startsWith(PREFIX)).noneMatch(key -> key.contains("year"));

            second.stop();
            var failure = caller.failureOf(request("edge", descriptor("second", "ann")));
            assertThat(failure.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(caller.hit("edge", "year", "ann").getLimitRemaining()).isEqualTo(8);
            Eventually.await(
                    "Weir is not well without the second Redis",
                    () -> Http.get(weir.http("/healthcheck")).statusCode() == 500);

            second.restart();
            weir.awaitHealthy();
            assertThat(caller.hit("edge", "second", "ann").getLimitRemaining()).isPositive();
        }
    }

    @Test
    void limits_of_the_first_redis_refuse_while_the_second_is_silent() {
        try (var first = RedisServer.start();
                var second = RedisServer.start();
                var weir = WeirProcess.start(RULES, allowingOnBoth(first, second));
                var caller = Caller.of(weir)) {
            var bob = new RateLimitDescriptor[] {descriptor("second", "bob"), descriptor("year", "bob")};
            assertThat(caller.ask("edge", bob).getStatusesList())
                    .extracting(DescriptorStatus::getLimitRemaining)
                    .containsExactly(999_999, 9);
            second.pause();
            Eventually.await(
                    "what is left of a year is known again",
                    () -> caller.ask("edge", bob).getStatuses(1).hasCurrentLimit());
            var silent = new RateLimitDescriptor[] {descriptor("second", "eve"), descriptor("year", "eve")};
            var codes = new ArrayList<RateLimitResponse.Code>();
            for (int i = 0; i < 12; i++) {
                codes.add(caller.ask("edge", silent).getOverallCode());
            }
            assertThat(codes.subList(0, 10)).containsOnly(RateLimitResponse.Code.OK);
            assertThat(codes.subList(10, 12)).containsOnly(RateLimitResponse.Code.OVER_LIMIT);
            second.resume();
            Eventually.await(
                    "a knock was answered",
                    () -> caller.ask("edge", silent).getStatuses(0).hasCurrentLimit());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"year", "bucket"})
    void limits_of_the_first_redis_refuse_while_the_second_is_full(String key) {
        try (var first = RedisServer.start();
                var second = RedisServer.start();
                var weir = WeirProcess.start(RULES, allowingOnBoth(first, second));
                var caller = Caller.of(weir)) {
            second.command("CONFIG", "SET", "maxmemory", "1");
            var codes = new ArrayList<RateLimitResponse.Code>();
            for (int i = 0; i < 12; i++) {
                codes.add(caller.ask("edge", descriptor("second", "bob"), descriptor(key, "bob"))
                        .getOverallCode());
            }
            assertThat(codes.subList(0, 10)).containsOnly(RateLimitResponse.Code.OK);
            assertThat(codes.subList(10, 12)).containsOnly(RateLimitResponse.Code.OVER_LIMIT);
            second.command("CONFIG", "SET", "maxmemory", "0");
            assertThat(caller.ask("edge", descriptor("second", "bob"))
                            .getStatuses(0)
                            .hasCurrentLimit())
                    .isTrue();
        }
    }

    private static Map<String, String> allowingOnBoth(RedisServer first, RedisServer second) {
        var environment = new HashMap<>(onBoth(first, second));
        environment.put("ON_STORE_FAILURE", "allow");
        environment.put("STORE_TIMEOUT", "100ms");
        return environment;
    }

    private static Map<String, String> onBoth(RedisServer first, RedisServer second) {
        var environment = new HashMap<>(WeirProcess.on(first));
        environment.putAll(Map.of(
                "REDIS_PERSECOND", "true",
                "REDIS_PERSECOND_SOCKET_TYPE", "tcp",
                "REDIS_PERSECOND_URL", second.address(),
                "REDIS_HEALTH_CHECK_ACTIVE_CONNECTION", "true",
                "CACHE_KEY_PREFIX", PREFIX,
                "STORE_TIMEOUT", "5s"));
        return environment;
    }

    private static List<String> keys(RedisServer redis) {
        return redis.command("KEYS", "*") instanceof List<?> keys
                ? keys.stream().map(String::valueOf).toList()
                : List.of();
    }
}
