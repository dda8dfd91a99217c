package dev.weir.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.FailurePolicy;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import dev.weir.request.Status;
import dev.weir.request.Verdict;
import dev.weir.rules.Domain;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.RateLimit;
import dev.weir.rules.RuleNode;
import dev.weir.rules.RuleNode.Flags;
import dev.weir.rules.RuleSet;
import dev.weir.store.OwnShare;
import dev.weir.store.StoreBusyException;
import dev.weir.store.StoreContract;
import dev.weir.store.StoreException;
import dev.weir.store.memory.ManualTicker;
import dev.weir.store.memory.MemoryStore;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The store fails. What is answered says the rule, else its domain, else the settings. */
final class FailurePoliciesTest {
    private static final Status DENIED = new Status(true, Quota.per(Unit.MINUTE, 3), "few", 0, 1_000_000);

    private static final NamedLimit FEW = new NamedLimit(Limit.fixedWindow(Quota.per(Unit.MINUTE, 3)), "few");
    private static final NamedLimit HOURLY = new NamedLimit(Limit.fixedWindow(Quota.per(Unit.HOUR, 1)), "hourly");
    private static final Limit ON_ADMIT = Limit.of(Quota.per(Unit.MINUTE, 3), new Algorithm.TokenBucket(3));
    private static final Limit QUEUE = Limit.of(Quota.per(Unit.SECOND, 1), new Algorithm.LeakyBucket(3));

    private final NotedHits noted = new NotedHits();
    private final List<FailurePolicy> told = noted.policies;
    private final List<String> hits = noted.heard;
    private final RuleSet rules = RuleSet.of(List.of(
            Domain.of(
                    "shop",
                    List.of(
                            node("login", flags(false, false, FailurePolicy.DENY)),
                            node("search", flags(false, false, FailurePolicy.ALLOW)),
                            node("cart", flags(false, false, FailurePolicy.ERROR)),
                            node("home", Flags.NONE),
                            node("cache", flags(false, false, FailurePolicy.LOCAL)),
                            limited("bucket", ON_ADMIT, Map.of()),
                            limited("queue", QUEUE, Map.of("tier", "gold")),
                            node("inner", flags(false, true, FailurePolicy.LOCAL)),
                            node("outer", flags(false, true, FailurePolicy.LOCAL)),
                            new RuleNode(
                                    "pair",
                                    "",
                                    new RateLimit(List.of(FEW, HOURLY), List.of()),
                                    flags(false, false, FailurePolicy.LOCAL),
                                    Map.of(),
                                    List.of()),
                            node("trial", flags(true, false, FailurePolicy.DENY)),
                            node("north", flags(false, true, FailurePolicy.DENY)),
                            node("south", flags(false, true, FailurePolicy.DENY)),
                            node("east", flags(false, true, FailurePolicy.ALLOW)),
                            node("west", flags(false, true, null)),
                            new RuleNode(
                                    "staff", "", RateLimit.unlimited(List.of()), Flags.NONE, Map.of(), List.of()))),
            new Domain(
                    "bank",
                    List.of(node("login", Flags.NONE), node("news", flags(false, false, FailurePolicy.ALLOW))),
                    false,
                    FailurePolicy.DENY)));

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore own = new MemoryStore(ticker, 5, Long.MAX_VALUE);
    private int replicas = 1;
    private Answering answering = Answering.PLAIN;
    private Throwable failure = new StoreException("is gone");

    @BeforeEach
    void noon() {
        ticker.set(StoreContract.NOON_MICROS);
    }

    @AfterEach
    void close() {
        own.close();
    }

    @Test
    void a_rule_that_denies_is_over_with_nothing_left_and_worth_another_try_in_a_second() {
        var verdict = ask("shop", "login");
        assertThat(verdict.isOver()).isTrue();
        assertThat(verdict.statuses()).containsExactly(DENIED);
    }

    @Test
    void a_rule_that_allows_is_answered_as_if_there_were_none() {
        var verdict = ask("shop", "search");
        assertThat(verdict.isOver()).isFalse();
        assertThat(verdict.statuses()).containsExactly(Status.NO_RULE);
    }

    @Test
    void a_rule_that_wants_an_error_or_says_nothing_is_answered_with_one() {
        assertError("shop", "cart");
        assertError("shop", "home");
        assertThat(told).isEmpty();
    }

    @Test
    void the_domain_says_it_for_rules_that_do_not_and_for_limits_that_callers_send() {
        assertThat(ask("bank", "login").isOver()).isTrue();
        assertThat(ask("bank", "news").isOver()).isFalse();
        var sent = Descriptor.of(new Entry("news", "x")).withLimit(Quota.per(Unit.HOUR, 5));
        assertThat(decide(new Request("bank", List.of(sent), 0)).isOver()).isTrue();
    }

    @Test
    void the_settings_say_it_where_neither_does() {
        answering = answering(false, FailurePolicy.ALLOW);
        assertThat(ask("shop", "home").isOver()).isFalse();
        answering = answering(false, FailurePolicy.DENY);
        assertThat(ask("shop", "home").isOver()).isTrue();
        assertError("shop", "cart");
    }

    @Test
    void one_that_denies_refuses_the_request_whatever_is_not_known_of_the_others() {
        var verdict = ask("shop", "search", "login", "cart", "unknown", "staff");
        assertThat(verdict.isOver()).isTrue();
        assertThat(verdict.statuses())
                .containsExactly(Status.NO_RULE, DENIED, Status.NO_RULE, Status.NO_RULE, Status.UNLIMITED);
        assertThat(told).containsExactly(FailurePolicy.ALLOW, FailurePolicy.DENY, FailurePolicy.ERROR);
    }

    @Test
    void one_that_wants_an_error_is_not_outvoted_by_those_that_allow() {
        assertError("shop", "search", "cart");
    }

    @Test
    void a_shadow_rule_denies_nobody() {
        var verdict = ask("shop", "trial");
        assertThat(verdict.isOver()).isFalse();
        assertThat(verdict.statuses()).containsExactly(new Status(false, DENIED.quota(), "few", 0, 1_000_000));
    }

    @Test
    void quota_rules_deny_only_together() {
        assertThat(ask("shop", "north", "south").isOver()).isTrue();
        assertThat(ask("shop", "north", "east").isOver()).isFalse();
        assertError("shop", "north", "west");
    }

    @Test
    void nothing_is_refused_where_shadow_mode_is_on_for_all() {
        answering = answering(true, FailurePolicy.ERROR);
        assertThat(ask("shop", "login").isOver()).isFalse();
        assertThat(ask("shop", "login").statuses()).containsExactly(DENIED);
        assertError("shop", "login", "cart");
    }

    @Test
    void a_store_that_is_asked_too_much_is_one_that_fails() {
        failure = new StoreBusyException();
        assertThat(ask("shop", "login").isOver()).isTrue();
        assertThat(ask("shop", "search").isOver()).isFalse();
        assertThatThrownBy(() -> ask("shop", "home")).hasCauseInstanceOf(OverloadedException.class);
    }

    @Test
    void defects_and_callers_that_leave_are_no_failure_of_the_store() {
        failure = new IllegalStateException("a defect");
        assertThatThrownBy(() -> ask("shop", "search")).hasCause(failure);
        failure = new CancellationException();
        assertThatThrownBy(() -> ask("shop", "search")).hasCause(failure);
    }

    @Test
    void who_is_turned_away_is_answered_by_the_same_and_without_asking_the_store() {
        assertThat(decider().hasFailurePolicies()).isTrue();
        assertThat(unasked("login").isOver()).isTrue();
        assertThat(unasked("search").isOver()).isFalse();
        assertThat(unasked("staff").statuses()).containsExactly(Status.UNLIMITED);
        assertThat(unasked("unknown").statuses()).containsExactly(Status.NO_RULE);
        assertThatThrownBy(() -> unasked("home")).hasCauseInstanceOf(OverloadedException.class);
        assertThatThrownBy(() -> unasked()).hasCauseInstanceOf(InvalidRequestException.class);
    }

    @Test
    void nobody_who_is_turned_away_need_be_read_where_all_answers_would_be_errors() {
        var plain = RuleSet.of(List.of(Domain.of(
                "shop", List.of(node("home", Flags.NONE), node("cart", flags(false, false, FailurePolicy.ERROR))))));
        var unlimited = RuleSet.of(List.of(Domain.of(
                "shop",
                List.of(new RuleNode(
                        "staff",
                        "",
                        RateLimit.unlimited(List.of()),
                        flags(false, false, FailurePolicy.DENY),
                        Map.of(),
                        List.of())))));
        var none = Answering.PLAIN;
        var some = answering(false, FailurePolicy.ALLOW);
        assertThat(decider(unlimited, none).hasFailurePolicies()).isFalse();
        assertThat(decider(plain, none).hasFailurePolicies()).isFalse();
        assertThat(decider(null, none).hasFailurePolicies()).isFalse();
        assertThat(decider(plain, some).hasFailurePolicies()).isTrue();
        assertThat(decider(rules, none).hasFailurePolicies()).isTrue();
    }

    @Test
    void hits_were_asked_for_and_are_neither_within_a_limit_nor_over_it() {
        ask("shop", "login", "search");
        assertThat(hits).containsExactly("undecided shop.login", "undecided shop.search");
        hits.clear();
        unasked("login");
        assertThat(hits).containsExactly("undecided shop.login");
    }

    @Test
    void its_own_counters_hold_a_replica_to_the_whole_limit_if_there_is_no_other() {
        assertThat(ask("shop", "cache").statuses()).containsExactly(cache(false, 2));
        ask("shop", "cache");
        assertThat(ask("shop", "cache").statuses()).containsExactly(cache(false, 0));
        var over = ask("shop", "cache");
        assertThat(over.isOver()).isTrue();
        assertThat(over.statuses()).containsExactly(cache(true, 0));
        assertThat(told).containsOnly(FailurePolicy.LOCAL).hasSize(4);
        ticker.set(StoreContract.NOON_MICROS + TimeUnit.MINUTES.toMicros(1));
        assertThat(ask("shop", "cache").isOver()).isFalse();
    }

    @Test
    void replicas_share_a_limit() {
        replicas = 2;
        assertThat(ask("shop", "cache").statuses()).containsExactly(cache(false, 0));
        assertThat(ask("shop", "cache").isOver()).isTrue();
        assertThat(hits)
                .as("near and over are counted by the part")
                .containsExactly("decided shop.cache by 1", "decided shop.cache by 1");
    }

    @Test
    void its_own_counters_hold_each_of_several_limits_and_show_the_one_that_refuses() {
        assertThat(ask("shop", "cache", "pair").isOver()).isFalse();
        assertThat(hits)
                .containsExactly(
                        "decided shop.cache by 3",
                        "decided shop.pair by 1",
                        "decided shop.pair by name",
                        "decided shop.pair by name");
        assertThat(ask("shop", "cache", "pair").statuses())
                .containsExactly(
                        cache(false, 1), new Status(true, HOURLY.limit().quota(), "hourly", 0, 3_600_000_000L));
    }

    @Test
    void a_request_is_refused_by_its_own_counters_whatever_is_not_known_of_the_others() {
        replicas = 3;
        assertError("shop", "cache", "cart");
        assertThat(ask("shop", "cache", "cart").isOver()).isTrue();
    }

    @Test
    void quota_rules_with_counters_of_their_own_refuse_only_together() {
        replicas = 3;
        ask("shop", "inner");
        assertThat(ask("shop", "inner").isOver()).as("alone").isTrue();
        assertThat(ask("shop", "inner", "outer").isOver()).isFalse();
        assertThat(ask("shop", "inner", "outer").isOver()).isTrue();
        assertThat(ask("shop", "inner", "outer", "east").isOver()).isFalse();
        assertThat(ask("shop", "inner", "outer", "north").isOver()).isTrue();
    }

    @Test
    void what_its_own_counters_have_no_room_for_is_an_error() {
        for (int i = 0; i < 5; i++) {
            decide(new Request("shop", List.of(Descriptor.of(new Entry("cache", "filler" + i))), 0));
        }
        assertError("shop", "cache");
        assertThat(ask("shop", "cache", "login").isOver()).as("one denies it").isTrue();
    }

    @Test
    void without_counters_of_its_own_who_wants_them_gets_an_error() {
        var store = new OneAnswerStore(CompletableFuture.failedFuture(failure));
        var decider = new Decider(() -> rules, store, null, new Bounds(9, 9, 9), answering, new DeafListener(noted));
        assertThatThrownBy(() -> verdict(decider.decide(request("shop", "cache"))))
                .hasCauseInstanceOf(UndecidedException.class);
        var byDefault = new Decider(
                () -> null,
                store,
                null,
                new Bounds(9, 9, 9),
                answering(false, FailurePolicy.LOCAL),
                new DeafListener(noted));
        assertThat(byDefault.hasFailurePolicies()).isFalse();
        assertThat(verdict(decider.decide(request("shop", "cache", "login"))).isOver())
                .isTrue();
    }

    @Test
    void its_own_counters_charge_nothing_on_admission_of_a_request_that_others_refuse() {
        assertThat(ask("shop", "bucket", "login").isOver()).isTrue();
        assertThat(ask("shop", "bucket", "north").isOver()).as("all quotas").isTrue();
        assertThat(ask("shop", "bucket").statuses().getFirst().remaining())
                .as("of three")
                .isEqualTo(2);
        assertThat(ask("shop", "bucket", "north", "east").isOver()).isFalse();
        assertThat(ask("shop", "bucket").statuses().getFirst().remaining()).isZero();
    }

    /** {@code inner} and {@code outer} are quotas under its own counters, of which {@code inner} is full. */
    @ParameterizedTest
    @CsvSource({
        "search, true",
        "trial, true",
        "unknown, true",
        "staff, true",
        "unknown login, false",
        "staff login, false",
        "north, false",
        "north south, false",
        "north unknown, false",
        "north east, true",
        "east, true",
        "inner, false",
        "inner outer, true",
        "inner east, true",
        "inner search, false",
        "inner north, false",
        "outer north, true",
        "inner outer north, true",
        "inner outer login, false"
    })
    void its_own_counters_charge_on_admission_what_passes_with_all_others(String others, boolean passes) {
        for (int i = 0; i < 3; i++) {
            ask("shop", "inner");
        }
        String[] keys = ("bucket " + others).split(" ", -1);
        assertThat(ask("shop", keys).isOver()).isNotEqualTo(passes);
        assertThat(ask("shop", "bucket").statuses().getFirst().remaining())
                .as("of three, with this one")
                .isEqualTo(passes ? 1 : 2);
    }

    @Test
    void what_gives_hits_back_is_never_denied() {
        var refund = new Descriptor(List.of(new Entry("login", "x")), null, 1, true);
        var look = new Descriptor(List.of(new Entry("login", "x")), null, 0, false);
        assertThat(decide(new Request("shop", List.of(refund), 0)).statuses()).containsExactly(Status.NO_RULE);
        assertThat(decide(new Request("shop", List.of(look), 0)).isOver()).isTrue();
    }

    @Test
    void metadata_tells_of_rules_that_are_known_to_let_pass_and_of_their_delays() {
        answering = answering(false, FailurePolicy.ALLOW);
        assertThat(ask("shop", "search", "home").metadata()).doesNotContainKeys("metadata", "weir");
        var queued = ask("shop", "queue");
        assertThat(queued.metadata())
                .containsEntry("metadata", Map.of("tier", "gold"))
                .containsEntry("weir", Map.of("delay_ms", 0.0));
        assertThat(ask("shop", "queue", "search").metadata()).containsEntry("weir", Map.of("delay_ms", 1_000.0));
    }

    private static Status cache(boolean isOver, long remaining) {
        return new Status(isOver, DENIED.quota(), "few", remaining, 60_000_000);
    }

    private void assertError(String domain, String... keys) {
        assertThatThrownBy(() -> ask(domain, keys))
                .hasCauseInstanceOf(UndecidedException.class)
                .hasMessageContaining("is gone");
    }

    private Verdict ask(String domain, String... keys) {
        return decide(request(domain, keys));
    }

    private Verdict decide(Request request) {
        return verdict(decider().decide(request));
    }

    private Verdict unasked(String... keys) {
        return verdict(decider().decideWithoutStore(request("shop", keys)));
    }

    private static Verdict verdict(Decision decision) {
        return decision.verdict().toCompletableFuture().join();
    }

    private Decider decider() {
        return decider(rules, answering);
    }

    private Decider decider(@Nullable RuleSet inForce, Answering answers) {
        var store = new OneAnswerStore(CompletableFuture.failedFuture(new CompletionException(failure)));
        var share = new OwnShare(own, () -> replicas);
        return new Decider(() -> inForce, store, share, new Bounds(9, 9, 9), answers, new DeafListener(noted));
    }

    private static Answering answering(boolean isShadow, FailurePolicy policy) {
        return new Answering(isShadow, false, null, null, true, policy, Charge.ALWAYS);
    }

    private static Request request(String domain, String... keys) {
        var descriptors = Arrays.stream(keys)
                .map(key -> Descriptor.of(new Entry(key, "x")))
                .toList();
        return new Request(domain, descriptors, 0);
    }

    private static Flags flags(boolean isShadow, boolean isQuota, @Nullable FailurePolicy policy) {
        return new Flags(isShadow, isQuota, false, false, false, policy);
    }

    /** Under this replica's own counters. */
    private static RuleNode limited(String key, Limit limit, Map<String, Object> metadata) {
        var flags = flags(false, false, FailurePolicy.LOCAL);
        return new RuleNode(key, "", RateLimit.of(limit), flags, metadata, List.of());
    }

    private static RuleNode node(String key, Flags flags) {
        var rateLimit = new RateLimit(List.of(FEW), List.of());
        return new RuleNode(key, "", rateLimit, flags, Map.of("from", key), List.of());
    }
}
