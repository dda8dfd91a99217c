package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.TextFormat;
import dev.weir.testing.Caller;
import dev.weir.testing.Eventually;
import dev.weir.testing.GoService;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Answers and counts as envoyproxy/ratelimit does. Both run, with the same rules and environment, each on a Redis of its own, and
 * are asked the same: rules and requests that are drawn from seeds, one domain for each. (One test has them share a Redis.)
 *
 * <p>{@code -Dweir.seed=7} asks what is drawn from 7 and nothing else, {@code -Dweir.seeds=100} what is drawn from so many.
 * What is different on purpose is not drawn ({@link MadeDomain} and {@link MadeRequests} say why). Windows of a second and a
 * minute are left to {@link ParityIT} and its like: they end at any moment, and here nobody holds the clock.
 */
final class GoServiceIT {
    private static final int REQUESTS = 200;
    private static final int SEEDS = 9;
    private static final int EVERY_BY_HTTP = 20;
    private static final Duration FLUSHED_WITHIN = Duration.ofSeconds(5);

    static Stream<Arguments> environments() {
        return Stream.of(
                Arguments.of("plain", 1, Map.of()),
                Arguments.of(
                        "headers",
                        101,
                        Map.of(
                                "LIMIT_RESPONSE_HEADERS_ENABLED", "true",
                                "LIMIT_REMAINING_HEADER", "X-Left",
                                "RESPONSE_DYNAMIC_METADATA", "true",
                                "NEAR_LIMIT_RATIO", "0.55")),
                Arguments.of(
                        "shadow",
                        201,
                        Map.of(
                                "SHADOW_MODE", "true",
                                "LIMIT_RESPONSE_HEADERS_ENABLED", "true",
                                "CACHE_KEY_PREFIX", "edge:",
                                "LOCAL_CACHE_SIZE_IN_BYTES", "1048576")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("environments")
    void both_answer_and_count_alike(String environment, long firstSeed, Map<String, String> settings) {
        var program = GoService.require();
        var seed = Long.getLong("weir.seed");
        int count = Integer.getInteger("weir.seeds", seed == null ? SEEDS : 1);
        var domains = LongStream.range(0, count)
                .mapToObj(i -> new MadeDomain((seed == null ? firstSeed : seed) + i))
                .toList();
        assertThat(Parity.inOneHour(() -> differences(program, domains, settings)))
                .as("differences in the environment '%s'", environment)
                .isEmpty();
    }

    /** Why a switch of services needs no second Redis, and why every window begins anew at it. */
    @Test
    void both_count_on_one_redis_and_neither_sees_the_other() {
        var program = GoService.require();
        var rules = Map.of("edge.yaml", """
            domain: edge
            descriptors:
              - { key: user, rate_limit: { unit: year, requests_per_unit: 5 } }
            """);
        try (var redis = RedisServer.start()) {
            var environment = new HashMap<>(WeirProcess.on(redis));
            environment.putAll(Map.of("CACHE_KEY_PREFIX", "shared:", "STORE_TIMEOUT", "5s"));
            try (var go = WeirProcess.start(program, rules, environment)) {
                assertThat(left(go, 3)).containsExactly(4, 3, 2);
                assertThat(go.output()).doesNotContain("level=error", "WRONGTYPE");
            }
            try (var weir = WeirProcess.start(rules, environment)) {
                assertThat(left(weir, 5)).containsExactly(4, 3, 2, 1, 0);
                assertThat(weir.warnings()).isEmpty();
            }
            try (var go = WeirProcess.start(program, rules, environment)) {
                assertThat(left(go, 1)).containsExactly(1);
                assertThat(go.output()).doesNotContain("level=error", "WRONGTYPE");
            }
        }
    }

    /** Returns what is left after each of so many hits, which must pass. */
    private static List<Integer> left(WeirProcess service, int hits) {
        try (var caller = Caller.of(service)) {
            return IntStream.range(0, hits)
                    .mapToObj(_ -> {
                        var status = caller.hit("edge", "user", "ann");
                        assertThat(status.getCode()).isEqualTo(Code.OK);
                        return status.getLimitRemaining();
                    })
                    .toList();
        }
    }

    private static List<String> differences(Path program, List<MadeDomain> domains, Map<String, String> settings) {
        var files = new HashMap<String, String>();
        domains.forEach(domain -> files.put(domain.name() + ".yaml", domain.rules()));
        var differences = new ArrayList<String>();
        try (var go = OneOfTwo.start(
                        Status.Code.UNKNOWN, settings, environment -> WeirProcess.start(program, files, environment));
                var weir = OneOfTwo.start(
                        Status.Code.INVALID_ARGUMENT, settings, environment -> WeirProcess.start(files, environment))) {
            compare("/rlconfig", go::rules, weir::rules, differences);
            if (!differences.isEmpty()) {
                differences.add("the Go service says: " + go.process().output());
                return differences;
            }
            domains.forEach(domain -> compare(domain, go, weir, differences));
            if (differences.isEmpty()) { // else they go on in the counts
                var isComparable = comparable(settings);
                compare(
                        "the counts",
                        () -> go.counts().stream().filter(isComparable).toList(),
                        () -> weir.counts().stream().filter(isComparable).toList(),
                        differences);
            }
        }
        return differences;
    }

    /**
     * Which series mean the same. With a local cache {@code over_limit_with_local_cache} is higher in the Go service, and its
     * mapping counts that once more in {@code over_limit} (docs/metrics.md).
     */
    private static Predicate<String> comparable(Map<String, String> settings) {
        boolean isRemembering = settings.containsKey("LOCAL_CACHE_SIZE_IN_BYTES");
        return line -> !isRemembering || !line.contains("over_limit");
    }

    /** Asks both, up to the first difference: those after it would be its consequences. */
    private static void compare(MadeDomain domain, OneOfTwo go, OneOfTwo weir, List<String> differences) {
        var requests = new MadeRequests(domain);
        for (int i = 0; i < REQUESTS; i++) {
            var request = requests.next();
            boolean isByHttp = i % EVERY_BY_HTTP == EVERY_BY_HTTP - 1;
            var expected = isByHttp ? go.askByHttp(request) : go.ask(request);
            var answer = isByHttp ? weir.askByHttp(request) : weir.ask(request);
            if (!answer.isLike(expected)) {
                differences.add("""
                    seed %d, request %d%s: %s
                      the Go service: %s
                      Weir:           %s
                    rules:
                    %s""".formatted(
                                domain.seed(),
                                i,
                                isByHttp ? " (by /json)" : "",
                                TextFormat.printer()
                                        .escapingNonAscii(false)
                                        .emittingSingleLine(true)
                                        .printToString(request),
                                expected,
                                answer,
                                domain.rules()));
                return;
            }
        }
    }

    /** Compares two pages, which may need a moment to be equal: the Go service tells its counts from time to time. */
    private static void compare(
            String what, Supplier<List<String>> go, Supplier<List<String>> weir, List<String> differences) {
        try {
            Eventually.await(what, FLUSHED_WITHIN, () -> go.get().equals(weir.get()));
        } catch (AssertionError _) {
            differences.add("%s%n  only of the Go service: %s%n  only of Weir: %s"
                    .formatted(what, without(go.get(), weir.get()), without(weir.get(), go.get())));
        }
    }

    private static String without(List<String> lines, List<String> others) {
        return String.join(
                "\n    ", lines.stream().filter(line -> !others.contains(line)).toList());
    }
}
