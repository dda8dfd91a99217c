package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.throwable;

import dev.weir.decide.NoRulesException;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import dev.weir.request.Status;
import dev.weir.request.Verdict;
import dev.weir.testing.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application asks in its own process, and counts in memory. */
final class RateLimiterTest {
    private static final String RULES = """
            domain: shop
            descriptors:
              - { key: user, rate_limit: { unit: day, requests_per_unit: 2, algorithm: sliding_log } }
              - { key: tokens, rate_limit: { unit: day, requests_per_unit: 100, algorithm: token_bucket } }
              - { key: queue, rate_limit: { unit: day, requests_per_unit: 10, algorithm: leaky_bucket } }
            """;
    private static final Duration DAY = Duration.ofDays(1);

    private final Descriptor ann = Descriptor.of(new Entry("user", "ann"));

    @Test
    void what_is_over_its_limit_is_refused_and_costs_nothing_elsewhere() throws Exception {
        try (var limiter = RateLimiter.builder().rules(RULES).start()) {
            var tokens = Descriptor.of(new Entry("tokens", "t")).withHits(10);
            assertThat(left(limiter, ann, tokens)).containsExactly(1L, 90L);
            assertThat(left(limiter, ann, tokens)).containsExactly(0L, 80L);
            Verdict refused = verdict(limiter, ann, tokens);
            assertThat(refused.isOver()).isTrue();
            assertThat(refused.statuses()).extracting(Status::isOver).containsExactly(true, false);
            assertThat(refused.waitFor()).isBetween(DAY.minusMinutes(1), DAY);
            assertThat(refused.statuses().getFirst().resetAfter()).isEqualTo(refused.waitFor());
            assertThat(left(limiter, tokens.withHits(0))).containsExactly(80L);
            assertThat(left(limiter, tokens.withHits(5).asRefund())).containsExactly(85L);
        }
    }

    @Test
    void a_bucket_tells_the_wait_to_the_microsecond_and_a_queue_tells_the_delay_of_what_passes() throws Exception {
        try (var limiter = RateLimiter.builder().rules(RULES).start()) {
            var tokens = Descriptor.of(new Entry("tokens", "t"));
            assertThat(verdict(limiter, tokens.withHits(100)).waitFor()).isZero();
            assertWaits(verdict(limiter, tokens), DAY.dividedBy(100));
            var queue = Descriptor.of(new Entry("queue", "q"));
            assertThat(verdict(limiter, queue).waitFor()).isZero();
            assertWaits(verdict(limiter, queue), DAY.dividedBy(10));
        }
    }

    /** Some of the time has gone by. */
    private static void assertWaits(Verdict verdict, Duration most) {
        assertThat(verdict.waitFor()).isBetween(most.minusMinutes(1), most.minusNanos(1_000));
    }

    @Test
    void a_limit_of_the_request_is_held_in_place_of_the_rules() throws Exception {
        try (var limiter = RateLimiter.builder().rules(RULES).start()) {
            var own = ann.withHits(3).withLimit(Quota.per(Unit.DAY, 7));
            assertThat(left(limiter, own)).containsExactly(4L);
        }
    }

    @Test
    void what_is_forgotten_begins_anew() throws Exception {
        try (var limiter = RateLimiter.builder().rules(RULES).start()) {
            var request = Request.of("shop", ann, Descriptor.of(new Entry("tokens", "t")));
            assertThat(limiter.forget(request).get()).isZero();
            assertThat(left(limiter, ann)).containsExactly(1L);
            assertThat(limiter.forget(request).get()).isOne();
            assertThat(left(limiter, ann)).containsExactly(1L);
        }
    }

    @Test
    void a_mistake_of_the_caller_is_told_and_touches_nothing() throws Exception {
        try (var limiter = RateLimiter.builder().rules(RULES).start()) {
            var empty = Request.of("shop");
            assertThatThrownBy(() -> limiter.check(empty).get())
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(InvalidRequestException.class);
            assertThatThrownBy(() -> limiter.forget(empty).get()).hasCauseInstanceOf(InvalidRequestException.class);
            assertThatThrownBy(() -> verdict(limiter, ann.withHits(2_000_000_000)))
                    .cause()
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("MAX_HITS");
            assertThat(left(limiter, ann)).containsExactly(1L);
        }
    }

    @Test
    @SuppressWarnings("NullAway") // an application may be compiled without it
    void no_request_at_all_is_a_mistake_of_the_caller_and_counted_as_none_of_ours() throws Exception {
        try (var limiter = RateLimiter.builder().rules(RULES).start()) {
            var before = requests(limiter);
            assertThat(before).isNotEmpty();
            assertThatThrownBy(() -> limiter.check(null)).isInstanceOf(NullPointerException.class);
            assertThat(requests(limiter)).isEqualTo(before);
            assertThatThrownBy(() -> limiter.forget(null)).isInstanceOf(NullPointerException.class);
        }
    }

    @Test
    @SuppressWarnings("NullAway") // as above
    void no_folder_at_all_is_a_mistake_and_not_one_without_rules() {
        var builder = RateLimiter.builder();
        assertThatThrownBy(() -> builder.rulesIn(null)).isInstanceOf(NullPointerException.class);
    }

    private static List<String> requests(RateLimiter limiter) {
        return limiter.metrics()
                .lines()
                .filter(line -> line.startsWith("weir_requests_total"))
                .toList();
    }

    @Test
    void hits_are_never_negative_however_they_are_said() throws Exception {
        try (var limiter = RateLimiter.builder().rules(RULES).start()) {
            assertThatThrownBy(() -> ann.withHits(-1)).isInstanceOf(InvalidRequestException.class);
            for (boolean isRefund : List.of(false, true)) {
                assertThatThrownBy(() -> verdict(limiter, new Descriptor(ann.entries(), null, -2, isRefund)))
                        .hasCauseInstanceOf(InvalidRequestException.class);
            }
            assertThatThrownBy(() ->
                            limiter.check(new Request("shop", List.of(ann), -7)).get())
                    .hasCauseInstanceOf(InvalidRequestException.class);
            assertThat(left(limiter, ann)).containsExactly(1L);
        }
    }

    @Test
    void mistakes_in_the_rules_are_all_told_by_their_place() {
        String wrong = RULES.replace("day, requests_per_unit: 2", "days, requests_per_unit: 2")
                .replace("leaky_bucket", "leaking_bucket")
                .replace("shop", "bank");
        assertThatThrownBy(() -> RateLimiter.builder().rules(RULES, wrong).start())
                .isInstanceOf(StartException.class)
                .message()
                .startsWith("rules 2:3:")
                .contains("rules 2:5:");
    }

    @Test
    void a_start_in_vain_leaves_no_files_open(@TempDir Path folder) throws Exception {
        Path certificate = Files.writeString(folder.resolve("ca.pem"), "no certificate");
        Set<Path> before = Pollers.open();
        for (int i = 0; i < 5; i++) {
            var builder = RateLimiter.builder()
                    .rules(RULES)
                    .set("OTEL_METRICS_EXPORTER", "otlp")
                    .set("OTEL_EXPORTER_OTLP_CERTIFICATE", certificate.toString());
            assertThatThrownBy(builder::start)
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining("OTEL_EXPORTER_OTLP_CERTIFICATE");
        }
        Eventually.await("they are closed", () -> before.containsAll(Pollers.open()));
    }

    @Test
    void mistakes_in_settings_are_all_told_and_a_name_that_is_none_at_once() {
        var builder =
                RateLimiter.builder().rules(RULES).set("STORE_TIMEOUT", "soon").set("MAX_HITS", "many");
        assertThatThrownBy(builder::start)
                .isInstanceOf(StartException.class)
                .hasMessageContaining("STORE_TIMEOUT")
                .hasMessageContaining("MAX_HITS");
        assertThatThrownBy(() -> builder.set("REDIS_URI", "localhost:6379"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("REDIS_URI");
        var withoutValue = new HashMap<String, String>();
        withoutValue.put("REDIS_URL", null);
        assertThatThrownBy(() -> builder.setAll(withoutValue))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("REDIS_URL");
    }

    @Test
    void the_environment_of_a_process_may_be_handed_on_as_it_is() throws Exception {
        var environment = new HashMap<>(Map.of("SHADOW_MODE", "true", "PATH", "/bin", "REDIS_URI", "not read"));
        environment.putAll(Map.of("PORT", "tcp://10.0.0.1:80", "LOG_LEVEL", "FINE", "WARM_UP", "never"));
        environment.putAll(
                Map.of("TRACING_ENABLED", "perhaps", "USE_PROMETHEUS", "maybe", "GRPC_SERVER_USE_TLS", "true"));
        try (var limiter =
                RateLimiter.builder().rules(RULES).setAll(environment).start()) {
            Verdict passed = verdict(limiter, ann.withHits(3));
            assertThat(passed.isOver()).as("in shadow").isFalse();
            assertThat(passed.statuses().getFirst().isOver()).isTrue();
            assertThat(passed.waitFor()).isZero();
        }
    }

    @Test
    void where_rules_come_from_is_said_once(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("shop.yaml"), RULES);
        var elsewhere = Map.of("RUNTIME_ROOT", "/nowhere", "RUNTIME_SUBDIRECTORY", "below");
        try (var limiter =
                RateLimiter.builder().rulesIn(folder).setAll(elsewhere).start()) {
            assertThat(left(limiter, ann)).as("whatever else is set").containsExactly(1L);
        }
        assertThatThrownBy(() -> RateLimiter.builder().rules()).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> pushed().rulesIn(folder).start()).isInstanceOf(StartException.class);
        assertThatThrownBy(() -> pushed().rules(RULES).start())
                .isInstanceOf(StartException.class)
                .hasMessageContaining("CONFIG_TYPE");
        var kept = RateLimiter.builder().rules(RULES).set("RULES_IN_STORE", "true");
        assertThatThrownBy(kept::start).isInstanceOf(StartException.class).hasMessageContaining("RULES_IN_STORE");
    }

    private static RateLimiter.Builder pushed() {
        return RateLimiter.builder().set("CONFIG_TYPE", "GRPC_XDS_SOTW");
    }

    @Test
    void after_its_end_it_says_so_and_it_may_be_closed_twice() throws Exception {
        var statsd = Map.of("USE_STATSD", "true", "STATSD_PORT", "1");
        var limiter = RateLimiter.builder().rules(RULES).setAll(statsd).start();
        assertThat(left(limiter, ann)).containsExactly(1L);
        limiter.close();
        limiter.close();
        assertThat(limiter.isReachable()).isFalse();
        assertThatThrownBy(() -> verdict(limiter, ann)).hasCauseInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> limiter.forget(Request.of("shop", ann)).get())
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThat(limiter.ready()).as("memory was there").isCompleted();
    }

    @Test
    void every_variable_of_the_page_can_be_set_also_one_with_a_name_within_its_name() throws Exception {
        var builder = RateLimiter.builder().rules(RULES);
        assertThatThrownBy(() -> builder.set("DOG_STATSD_MOGRIFIER_A", "x")).hasMessageContaining("is no variable");
        builder.set("USE_DOG_STATSD_MOGRIFIERS", "a")
                .set("DOG_STATSD_MOGRIFIER_A_PATTERN", "^x")
                .set("DOG_STATSD_MOGRIFIER_A_NAME", "y")
                .set("DOG_STATSD_MOGRIFIER_A_TAGS", "z:1");
        try (var limiter = builder.start()) {
            assertThat(left(limiter, ann)).containsExactly(1L);
        }
    }

    @Test
    void rules_of_a_folder_are_read_before_the_first_check(@TempDir Path folder) throws Exception {
        Files.writeString(Files.createDirectory(folder.resolve("below")).resolve("shop.yaml"), RULES);
        try (var limiter = RateLimiter.builder().rulesIn(folder).start()) {
            assertThat(left(limiter, ann)).containsExactly(1L);
        }
    }

    @Test
    void where_the_folder_has_a_mistake_there_are_no_rules_yet(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("shop.yaml"), "domain: shop\nrules: []\n");
        try (var limiter = RateLimiter.builder().rulesIn(folder).start()) {
            assertThatThrownBy(() -> verdict(limiter, ann))
                    .cause()
                    .asInstanceOf(throwable(NoRulesException.class))
                    .isNotNull();
        }
    }

    @Test
    void it_counts_what_the_service_counts_and_memory_is_always_there() throws Exception {
        try (var limiter = RateLimiter.builder().rules(RULES).start()) {
            limiter.ready().get();
            assertThat(limiter.isReachable()).isTrue();
            left(limiter, ann);
            assertThat(limiter.metrics())
                    .contains("ratelimit_service_rate_limit_total_hits{domain=\"shop\",key1=\"user\"} 1\n")
                    .contains("weir_build_info");
        }
    }

    private static List<Long> left(RateLimiter limiter, Descriptor... descriptors) throws Exception {
        Verdict verdict = verdict(limiter, descriptors);
        assertThat(verdict.isOver()).isFalse();
        return verdict.statuses().stream().map(Status::remaining).toList();
    }

    private static Verdict verdict(RateLimiter limiter, Descriptor... descriptors) throws Exception {
        return limiter.check(Request.of("shop", descriptors)).get();
    }
}
