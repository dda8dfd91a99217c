package dev.weir;

import static dev.weir.testing.Caller.descriptor;
import static dev.weir.testing.Caller.withHits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Caller;
import dev.weir.testing.RedisRights;
import dev.weir.testing.RedisServer;
import dev.weir.testing.RedisVersion;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every way of counting through the whole of Weir, with no more rights in Redis than docs/redis.md asks for. */
final class WaysOfCountingIT {
    private static final List<String> WAYS = List.of(
            "algorithm: fixed_window, charge: on_admit",
            "algorithm: sliding_window",
            "algorithm: sliding_window, precision: 73h",
            "algorithm: sliding_log",
            "algorithm: token_bucket",
            "algorithm: leaky_bucket",
            "algorithm: gcra");
    private static final Map<String, String> RULES = Map.of("edge.yaml", rules());

    private static String rules() {
        var text = new StringBuilder("domain: edge\ndescriptors:\n");
        for (int i = 0; i < WAYS.size(); i++) {
            text.append(
                    "  - {key: way%d, rate_limit: {unit: year, requests_per_unit: 5, %s}}%n".formatted(i, WAYS.get(i)));
            text.append("  - {key: lock%d, rate_limit: {unit: year, requests_per_unit: 5, block_for: 90s, %s}}%n"
                    .formatted(i, WAYS.get(i)));
        }
        text.append("""
                  - key: two
                    rate_limits:
                      - {name: year, unit: year, requests_per_unit: 3, algorithm: sliding_log}
                      - {name: odd, unit: month, unit_multiplier: 7, requests_per_unit: 9, algorithm: gcra}
                """);
        return text.toString();
    }

    @ParameterizedTest
    @MethodSource("dev.weir.testing.RedisVersions#here")
    void every_algorithm_admits_its_limit_and_locks_where_it_shall(RedisVersion version) {
        try (var redis = RedisServer.start(version)) {
            var user = Stream.of("ACL", "SETUSER", "weir", "on", ">s3cret-word", "~weir:*");
            redis.command(Stream.concat(user, Stream.of(RedisRights.OF_THE_PAGE.split(" ")))
                    .toArray(String[]::new));
            var environment = new HashMap<>(WeirProcess.on(redis));
            environment.putAll(Map.of("REDIS_AUTH", "weir:s3cret-word", "CACHE_KEY_PREFIX", "weir:"));
            try (var weir = WeirProcess.start(RULES, environment);
                    var caller = Caller.of(weir)) {
                for (int i = 0; i < WAYS.size(); i++) {
                    assertThat(codes(caller, "way" + i)).as(WAYS.get(i)).containsExactly(expected());
                    assertThat(codes(caller, "lock" + i)).as(WAYS.get(i)).containsExactly(expected());
                    assertThat(caller.hit("edge", "lock" + i, "x")
                                    .getDurationUntilReset()
                                    .getSeconds())
                            .as(WAYS.get(i))
                            .isBetween(60L, 90L);
                }
                assertThat(shown(caller)).containsExactly("year 2", "year 1", "year 0", "year 0");
                assertThat(weir.warnings()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"true, 3, 2", "false, 0, 0"})
    void refused_hits_are_not_counted_where_the_environment_says_so(String isAlone, int leftBeside, int leftOfSeveral) {
        var rules = Map.of("edge.yaml", """
            domain: edge
            descriptors:
              - { key: beside, rate_limit: { unit: year, requests_per_unit: 3 } }
              - { key: full, rate_limit: { unit: year, requests_per_unit: 2 } }
              - { key: several, rate_limit: { unit: year, requests_per_unit: 5 } }
            """);
        try (var redis = RedisServer.start()) {
            var environment = new HashMap<>(WeirProcess.on(redis));
            environment.putAll(Map.of("STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT", isAlone, "STORE_TIMEOUT", "5s"));
            try (var weir = WeirProcess.start(rules, environment);
                    var caller = Caller.of(weir)) {
                caller.hit("edge", "full", "x");
                caller.hit("edge", "full", "x");
                for (int i = 0; i < 3; i++) {
                    assertThat(caller.ask("edge", descriptor("beside", "x"), descriptor("full", "x"))
                                    .getOverallCode())
                            .isEqualTo(Code.OVER_LIMIT);
                }
                assertThat(caller.left("edge", "beside", "x")).isEqualTo(leftBeside);

                var three = withHits(descriptor("several", "x"), 3);
                assertThat(caller.ask("edge", three).getOverallCode()).isEqualTo(Code.OK);
                assertThat(caller.ask("edge", three).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
                assertThat(caller.left("edge", "several", "x")).isEqualTo(leftOfSeveral);
            }
        }
    }

    private static Code[] expected() {
        return new Code[] {Code.OK, Code.OK, Code.OK, Code.OK, Code.OK, Code.OVER_LIMIT, Code.OVER_LIMIT};
    }

    private static List<Code> codes(Caller caller, String key) {
        var codes = new ArrayList<Code>();
        for (int i = 0; i < 7; i++) {
            codes.add(caller.hit("edge", key, "x").getCode());
        }
        return codes;
    }

    private static List<String> shown(Caller caller) {
        var shown = new ArrayList<String>();
        for (int i = 0; i < 4; i++) {
            RateLimitResponse.DescriptorStatus status = caller.hit("edge", "two", "x");
            shown.add(status.getCurrentLimit().getName() + " " + status.getLimitRemaining());
        }
        return shown;
    }
}
