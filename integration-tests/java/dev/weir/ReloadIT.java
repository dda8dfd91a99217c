package dev.weir;

import static dev.weir.testing.Caller.descriptor;
import static dev.weir.testing.Caller.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Caller;
import dev.weir.testing.Counts;
import dev.weir.testing.Eventually;
import dev.weir.testing.Http;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rule files come into force when they are written, all of them or none. Each test has files and domains of its own. */
final class ReloadIT {
    /** A second is what we promise; a machine that builds something else gets some more. */
    private static final Duration IN_FORCE_WITHIN = Duration.ofSeconds(5);

    private static final Executor THREADS = task -> Thread.ofVirtual().start(task);

    private static WeirProcess weir;
    private static Caller caller;

    @BeforeAll
    static void start() {
        weir = WeirProcess.start(Map.of("still.yaml", rules("still", 100)));
        caller = Caller.of(weir);
    }

    @AfterAll
    static void end() {
        caller.close();
        weir.close();
    }

    @Test
    void an_edit_is_in_force_within_a_moment_and_forgets_no_hits() {
        weir.write("edited.yaml", rules("edited", 10));
        awaitLimit("edited", 10);
        assertThat(caller.hit("edited", "user", "ann").getLimitRemaining()).isEqualTo(9);

        long written = System.nanoTime();
        weir.write("edited.yaml", rules("edited", 20));
        awaitLimit("edited", 20);
        var took = Duration.ofNanos(System.nanoTime() - written);
        System.out.printf("an edited rule file was in force after %d ms%n", took.toMillis());
        assertThat(took).isLessThan(IN_FORCE_WITHIN);
        assertThat(caller.left("edited", "user", "ann"))
                .as("the hit of before the edit counts on")
                .isEqualTo(19);
    }

    @Test
    void a_bad_edit_changes_nothing_and_is_named_with_its_place() {
        weir.write("mended.yaml", rules("mended", 10));
        awaitLimit("mended", 10);
        try {
            weir.write("mended.yaml", rules("mended", 20).replace("unit: year", "unit: fortnight"));
            weir.awaitOutput("mended.yaml:3:38: there is no unit `fortnight`; ");
            weir.awaitOutput("stay in force");
            assertThat(limit(caller, "mended")).isEqualTo(10);
            assertThat(limit(caller, "still")).isEqualTo(100);
        } finally {
            weir.write(
                    "mended.yaml", rules("mended", 30)); // one bad file keeps out all others, those of other tests too
        }
        awaitLimit("mended", 30);
    }

    @Test
    void what_is_hardly_meant_comes_into_force_and_is_remarked() {
        weir.write("odd.yaml", rules("odd", 10) + "  - { key: tier, rate_limit: }\n");
        awaitLimit("odd", 10);
        weir.awaitOutput("odd.yaml:4:18: `rate_limit` has nothing behind it");
        weir.delete("odd.yaml");
        awaitLimit("odd", 0);
    }

    @Test
    void a_file_brings_its_domain_and_takes_it_along() {
        assertThat(limit(caller, "guest")).isZero();
        weir.write("guest.yaml", rules("guest", 10));
        awaitLimit("guest", 10);
        weir.delete("guest.yaml");
        awaitLimit("guest", 0);
        assertThat(limit(caller, "still")).isEqualTo(100);
    }

    @Test
    void a_domain_in_two_files_is_a_mistake_unless_they_are_merged() {
        var files = Map.of(
                "one.yaml", rules("both", 10), "two.yaml", rules("both", 20).replace("key: user", "key: tier"));
        try (var merging = WeirProcess.start(files, Map.of("MERGE_DOMAIN_CONFIG", "true"));
                var asking = Caller.of(merging)) {
            assertThat(limit(asking, "both")).isEqualTo(10);
            assertThat(asking.hit("both", "tier", "gold").getLimitRemaining()).isEqualTo(19);
        }
        try (var strict = WeirProcess.start(files);
                var asking = Caller.of(strict)) {
            assertThat(strict.output()).contains("two.yaml:1:1: ", "there are none in force");
            assertThat(asking.failureOf(question("both")).getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
        }
    }

    @Test
    void without_rules_requests_are_told_so_until_there_are_some(@TempDir Path folder) throws IOException {
        var root = folder.resolve("later");
        try (var early = WeirProcess.start(Map.of(), Map.of("RUNTIME_ROOT", root.toString()));
                var asking = Caller.of(early)) {
            var failure = asking.failureOf(question("late"));
            assertThat(failure.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
            assertThat(failure.getDescription()).startsWith("no rate limit configuration loaded: ");
            assertThat(early.output()).contains("RUNTIME_ROOT=" + root);
            var page = Http.post(early.http("/json"), """
                {"domain": "late", "descriptors": [{"entries": [{"key": "user", "value": "ann"}]}]}
                """);
            assertThat(page.statusCode()).isEqualTo(503);

            var config = Files.createDirectories(root.resolve("ratelimit").resolve("config"));
            Files.writeString(config.resolve("late.yaml"), rules("late", 10));
            Eventually.await("requests are answered", () -> asking.isAnswered(question("late")));
            awaitLimit(asking, "late", 10);
        }
    }

    /** Each edit lets a hundred more be asked, so that all of them happen while hits are counted. */
    @Test
    void edits_under_load_leave_a_limit_exact() {
        try (var redis = RedisServer.start()) {
            var environment = new HashMap<>(WeirProcess.on(redis));
            environment.put("STORE_TIMEOUT", "5s");
            try (var busy = WeirProcess.start(Map.of("exact.yaml", exact(1_000, 1)), environment);
                    var asking = Caller.of(busy)) {
                var turns = new Semaphore(0);
                var callers = Stream.generate(
                                () -> CompletableFuture.supplyAsync(() -> answers(asking, turns, 500), THREADS))
                        .limit(4)
                        .toList();
                for (int edit = 2; edit <= 21; edit++) {
                    turns.release(100);
                    busy.write("exact.yaml", exact(1_000, edit));
                    awaitRule(busy, "exact.tier", edit);
                }
                var answers = callers.stream()
                        .flatMap(each -> each.join().stream())
                        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
                assertThat(answers).isEqualTo(Map.of(Code.OK, 1_000L, Code.OVER_LIMIT, 1_000L));

                busy.write("exact.yaml", exact(500, 21));
                awaitRule(busy, "exact.user", 500);
                assertThat(asking.hit("exact", "user", "ann").getCode()).isEqualTo(Code.OVER_LIMIT);
                assertThat(Counts.counted(redis, "ann")).as("in one counter").isBetween(1_000L, 2_001L);
                assertThat(busy.warnings()).isEmpty();
            }
        }
    }

    private static List<Code> answers(Caller asking, Semaphore turns, int count) {
        return IntStream.range(0, count)
                .mapToObj(_ -> {
                    turns.acquireUninterruptibly();
                    return asking.hit("exact", "user", "ann").getCode();
                })
                .toList();
    }

    private static void awaitRule(WeirProcess weir, String rule, int limit) {
        String line = "%s: unit=YEAR requests_per_unit=%d,".formatted(rule, limit);
        Eventually.await(
                "/rlconfig says " + line,
                () -> Http.get(weir.debug("/rlconfig")).body().contains(line));
    }

    private static String exact(int limit, int ofAnother) {
        return rules("exact", limit)
                + "  - { key: tier, rate_limit: { unit: year, requests_per_unit: %d } }%n".formatted(ofAnother);
    }

    @Test
    void the_rules_in_force_are_listed_as_the_go_service_lists_them() throws IOException {
        var files = new HashMap<String, String>();
        Parity.recording("plain")
                .get("rules")
                .properties()
                .forEach(rules ->
                        files.put(rules.getKey() + ".yaml", rules.getValue().asText()));
        try (var parity = WeirProcess.start(files)) {
            var listed =
                    Http.get(parity.debug("/rlconfig")).body().lines().sorted().toList();
            assertThat(listed)
                    .isEqualTo(
                            Parity.lines("plain.rlconfig.txt").stream().sorted().toList());
        }
    }

    private static String rules(String domain, int limit) {
        return """
            domain: %s
            descriptors:
              - { key: user, rate_limit: { unit: year, requests_per_unit: %d } }
            """.formatted(domain, limit);
    }

    private static RateLimitRequest question(String domain) {
        return request(domain, Caller.withHits(descriptor("user", "nobody"), 0));
    }

    /** Returns the limit in force, or 0 if there is none. */
    private static int limit(Caller asking, String domain) {
        return asking.ask(question(domain)).getStatuses(0).getCurrentLimit().getRequestsPerUnit();
    }

    private static void awaitLimit(String domain, int limit) {
        awaitLimit(caller, domain, limit);
    }

    private static void awaitLimit(Caller asking, String domain, int limit) {
        Eventually.await("%s has %d hits".formatted(domain, limit), () -> limit(asking, domain) == limit);
    }
}
