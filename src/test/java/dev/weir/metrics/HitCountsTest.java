package dev.weir.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.decide.Answering;
import dev.weir.decide.Bounds;
import dev.weir.decide.DeafListener;
import dev.weir.decide.Decider;
import dev.weir.limit.Charge;
import dev.weir.limit.FailurePolicy;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.live.Figures;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.Request;
import dev.weir.rules.RuleSet;
import dev.weir.rules.yaml.WrittenRules;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreBusyException;
import dev.weir.store.StoreException;
import dev.weir.store.memory.MemoryStore;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Requests are decided, and their hits show up where an operator looks for them. */
final class HitCountsTest {
    private static final String RULES = """
            domain: shop
            descriptors:
              - {key: user, rate_limit: {unit: hour, requests_per_unit: 2}}
              - {key: quiet, shadow_mode: true, rate_limit: {unit: hour, requests_per_unit: 1}}
              - {key: free, rate_limit: {unlimited: true}}
              - {key: vip, rate_limit: {unit: hour, requests_per_unit: 9, name: vip, replaces: [{name: plain}]}}
              - {key: coarse, rate_limit: {unlimited: true, replaces: [{name: minute}]}}
              - {key: rough, rate_limit: {unlimited: true, replaces: [{name: narrow}]}}
              - {key: plain, rate_limit: {unit: hour, requests_per_unit: 9, name: plain}}
              - {key: each, detailed_metric: true, rate_limit: {unit: hour, requests_per_unit: 9}}
              - key: both
                rate_limits:
                  - {unit: hour, requests_per_unit: 1, name: narrow}
                  - {unit: day, requests_per_unit: 9, name: wide}
              - key: three
                rate_limits:
                  - {unit: minute, requests_per_unit: 1, name: minute}
                  - {unit: hour, requests_per_unit: 1, name: hour}
                  - {unit: day, requests_per_unit: 9, name: day}
              - key: a
                rate_limits:
                  - {unit: hour, requests_per_unit: 9, name: b.c}
                  - {unit: day, requests_per_unit: 9}
                descriptors:
                  - key: b
                    rate_limits:
                      - {unit: hour, requests_per_unit: 9, name: c}
                      - {unit: day, requests_per_unit: 9}
            """;

    private final Statistics statistics = new Statistics(new Statistics.Options(0.8f, 2, false));
    private final MemoryStore memory = new MemoryStore(() -> 30_000_000, 100, Long.MAX_VALUE);
    private RuleSet rules = WrittenRules.read(RULES);

    @Test
    void hits_of_a_rule() {
        ask(of("user", "7"), of("user", "7"), of("user", "7"));
        assertThat(count())
                .containsExactly(
                        "shop.user.near_limit: 1",
                        "shop.user.over_limit: 1",
                        "shop.user.total_hits: 3",
                        "shop.user.within_limit: 2");
    }

    @Test
    void hits_of_a_rule_in_shadow() {
        ask(of("quiet", "7"), of("quiet", "7"));
        assertThat(count()).contains("shop.quiet.shadow_mode: 1", "shop.quiet.over_limit: 1");
    }

    @Test
    void what_is_unlimited_replaced_or_without_a_rule_counts_nothing() {
        ask(of("free", "7"), of("vip", "7"), of("plain", "7"), of("nothing", "7"));
        assertThat(count()).containsExactly("shop.vip.total_hits: 1", "shop.vip.within_limit: 1");
    }

    @Test
    void a_look_counts_nothing() {
        ask(new Descriptor(List.of(new Entry("user", "7")), null, 0, false));
        assertThat(count()).isEmpty();
    }

    @Test
    void hits_that_are_given_back_are_no_hits() {
        ask(new Descriptor(List.of(new Entry("user", "7")), null, 4, true));
        assertThat(count()).containsExactly("shop.user.total_negative_hits: 4");
    }

    @Test
    void values_of_callers_make_series_up_to_the_bound() {
        ask(of("each", "1"), of("each", "2"), of("each", "3"), of("each", "1"));
        assertThat(count())
                .contains("shop.each_1.total_hits: 2", "shop.each_2.total_hits: 1", "shop.other.total_hits: 1");
        assertThat(new MetricPages(statistics, false).lines()).contains("weir.series.made: 2", "weir.series.folded: 1");
    }

    @Test
    void a_limit_that_the_caller_sends_along_counts_under_its_values() {
        ask(Descriptor.of(new Entry("user", "7")).withLimit(Quota.per(Unit.HOUR, 1)));
        assertThat(count()).contains("shop.user_7.total_hits: 1", "shop.user_7.near_limit: 1");
    }

    @Test
    void several_limits_count_once_by_the_one_that_shows_and_each_by_its_name() {
        ask(of("both", "7"));
        ask(of("both", "7"));
        assertThat(count()).contains("shop.both.total_hits: 2", "shop.both.over_limit: 1");
        assertThat(new MetricPages(statistics, false).lines())
                .contains(
                        "weir.limit.hits{rule=shop.both,limit=narrow,stat=over_limit}: 1",
                        "weir.limit.hits{rule=shop.both,limit=wide,stat=over_limit}: 0",
                        "weir.limit.hits{rule=shop.both,limit=wide,stat=within_limit}: 2");
        assertThat(FiguresNow.of(statistics).rules())
                .contains(
                        new Figures.OfRule("shop.both", 2, 1, 1),
                        new Figures.OfRule("shop.both: narrow", 2, 1, 1),
                        new Figures.OfRule("shop.both: wide", 2, 0, 0));
    }

    @Test
    void a_limit_and_its_rule_are_told_apart_wherever_their_names_have_dots() {
        ask(of("a", "7"));
        ask(Descriptor.of(new Entry("a", "7"), new Entry("b", "8")));
        ask(Descriptor.of(new Entry("a", "7"), new Entry("b", "9")));
        assertThat(new MetricPages(statistics, false).lines())
                .contains(
                        "weir.limit.hits{rule=shop.a,limit=b.c,stat=total_hits}: 1",
                        "weir.limit.hits{rule=shop.a.b,limit=c,stat=total_hits}: 2");
    }

    @Test
    void of_several_limits_one_that_is_replaced_counts_nothing() {
        ask(of("three", "7"), of("coarse", "7"));
        ask(of("three", "7"), of("coarse", "7"));
        assertThat(new MetricPages(statistics, false).lines())
                .contains(
                        "weir.limit.hits{rule=shop.three,limit=minute,stat=total_hits}: 0",
                        "weir.limit.hits{rule=shop.three,limit=hour,stat=over_limit}: 1",
                        "weir.limit.hits{rule=shop.three,limit=day,stat=within_limit}: 2");
    }

    @Test
    void one_of_two_limits_counts_on_when_the_other_is_replaced() {
        ask(of("both", "7"), of("rough", "7"));
        assertThat(new MetricPages(statistics, false).lines())
                .contains(
                        "weir.limit.hits{rule=shop.both,limit=narrow,stat=total_hits}: 0",
                        "weir.limit.hits{rule=shop.both,limit=wide,stat=total_hits}: 1",
                        "weir.limit.hits{rule=shop.both,limit=wide,stat=within_limit}: 1");
    }

    @Test
    void an_unknown_domain_counts_its_descriptors() {
        decide(new Request("bank", List.of(of("user", "7"), of("user", "8")), 0), memory, Answering.PLAIN);
        assertThat(count()).containsExactly("bank.domain_not_found: 2");
    }

    @Test
    void a_descriptor_that_no_limit_holds_for_is_counted_with_the_reason() {
        decide(new Request("bank", List.of(of("user", "7"), of("user", "8")), 0), memory, Answering.PLAIN);
        ask(of("nothing", "7"), of("user", "7"), of("nothing", "8"), of("nothing", "9"));
        ask(of("nothing", "7"));
        ask(of("free", "7"), of("vip", "7"), of("plain", "7"));
        ask(Descriptor.of(new Entry("nothing", "7")).withLimit(Quota.per(Unit.HOUR, 1)));
        assertThat(new MetricPages(statistics, false).lines())
                .contains("weir.descriptors.unmatched{reason=domain}: 2", "weir.descriptors.unmatched{reason=rule}: 4");
    }

    @Test
    void hits_whose_store_fails_are_hits() {
        var sent = of("user", "8").withLimit(Quota.per(Unit.HOUR, 1));
        var back = of("user", "7").asRefund();
        decide(
                new Request("shop", List.of(of("user", "7"), sent, back), 5),
                new BrokenStore(new StoreException("gone")),
                Answering.PLAIN);
        assertThat(count())
                .containsExactlyInAnyOrder(
                        "shop.user.total_hits: 5", "shop.user.total_negative_hits: 5", "shop.user_8.total_hits: 5");
    }

    @Test
    void hits_whose_store_fails_are_hits_of_each_limit() {
        decide(
                new Request("shop", List.of(of("both", "7"), of("rough", "7")), 5),
                new BrokenStore(new StoreException("gone")),
                Answering.PLAIN);
        assertThat(new MetricPages(statistics, false).lines())
                .contains(
                        "weir.limit.hits{rule=shop.both,limit=narrow,stat=total_hits}: 0",
                        "weir.limit.hits{rule=shop.both,limit=wide,stat=total_hits}: 5");
    }

    @Test
    void hits_that_a_busy_store_turns_away_are_hits() {
        decide(
                new Request("shop", List.of(of("user", "7")), 5),
                new BrokenStore(new StoreBusyException()),
                Answering.PLAIN);
        assertThat(count()).containsExactly("shop.user.total_hits: 5");
    }

    @Test
    void a_request_that_passes_in_shadow_is_counted() {
        var shadow = new Answering(true, false, null, null, false, FailurePolicy.ERROR, Charge.ALWAYS);
        decide(new Request("shop", List.of(of("user", "7")), 3), memory, shadow);
        assertThat(new MetricPages(statistics, false).lines()).contains("ratelimit.service.global_shadow_mode: 1");
    }

    @Test
    void counts_go_on_when_rules_are_loaded_again() {
        ask(of("user", "7"));
        rules = WrittenRules.read(RULES.replace("requests_per_unit: 2", "requests_per_unit: 8"));
        ask(of("user", "7"));
        assertThat(count()).contains("shop.user.total_hits: 2");
    }

    @Test
    void the_near_limit_follows_the_rule_in_force() {
        rules = WrittenRules.read(RULES.replace("requests_per_unit: 2", "requests_per_unit: 8"));
        ask(of("user", "7"));
        assertThat(count()).doesNotContain("shop.user.near_limit: 1");
        assertThat(Series.nearLimit(Limit.fixedWindow(Quota.per(Unit.HOUR, 8)).capacity(), 0.8f))
                .isEqualTo(6);
    }

    private List<String> count() {
        String prefix = "ratelimit.service.rate_limit.";
        return new MetricPages(statistics, false)
                .lines().stream()
                        .filter(line -> line.startsWith(prefix))
                        .map(line -> line.substring(prefix.length()))
                        .toList();
    }

    private void ask(Descriptor... descriptors) {
        decide(new Request("shop", Arrays.asList(descriptors), 0), memory, Answering.PLAIN);
    }

    private void decide(Request request, Store store, Answering answering) {
        var listener = new DeafListener(statistics.hits());
        var _ = new Decider(() -> rules, store, null, new Bounds(8, 8, 1_000), answering, listener)
                .decide(request)
                .verdict()
                .toCompletableFuture()
                .handle((_, _) -> "ended")
                .join();
    }

    private static Descriptor of(String key, String value) {
        return Descriptor.of(new Entry(key, value));
    }

    private record BrokenStore(RuntimeException failure) implements Store {
        @Override
        public CompletionStage<List<Reading>> decide(Plan plan) {
            return CompletableFuture.failedFuture(failure);
        }

        @Override
        public CompletionStage<Boolean> forget(Check check) {
            return CompletableFuture.failedFuture(failure);
        }

        @Override
        public CompletionStage<Void> firstReached() {
            return new CompletableFuture<>();
        }

        @Override
        public boolean isReachable() {
            return false;
        }

        @Override
        public void close() {}
    }
}
