package dev.weir.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreBusyException;
import dev.weir.store.StoreContract;
import dev.weir.store.StoreException;
import dev.weir.store.memory.ManualTicker;
import dev.weir.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The domain "shop": three a minute for each user, and rules of every other kind beside it. */
final class DeciderTest {
    private static final Bounds BOUNDS = new Bounds(4, 2, 1_000);
    private static final Flags SHADOW = new Flags(true, false, false, false, false, null);
    private static final Flags QUOTA = new Flags(false, true, false, false, false, null);

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore store = new MemoryStore(ticker, 1_000, Long.MAX_VALUE);
    private final List<String> heard = new ArrayList<>();
    private @Nullable RuleSet rules = RuleSet.of(List.of(Domain.of(
            "shop",
            List.of(
                    node("user", "", 3, Flags.NONE, "users"),
                    node("quota", "a", 1, QUOTA, ""),
                    node("quota", "b", 1, QUOTA, ""),
                    node("shadow", "", 1, SHADOW, ""),
                    replacing("vip", "", 9, "users"),
                    unlimited("staff", "", Flags.NONE),
                    unlimited("guest", "", QUOTA)))));

    @BeforeEach
    void noon() {
        ticker.set(StoreContract.NOON_MICROS);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void a_rule_admits_to_its_limit_and_says_what_is_left_and_for_how_long() {
        ticker.set(StoreContract.NOON_MICROS + 500_000);
        assertThat(statuses(ask(user("7")))).containsExactly("ok 2 of 3 for 60 s");
        ask(user("7"));
        ask(user("7"));
        Verdict over = ask(user("7"));
        assertThat(over.isOver()).isTrue();
        assertThat(statuses(over)).containsExactly("OVER 0 of 3 for 60 s");
        assertThat(statuses(ask(user("8")))).containsExactly("ok 2 of 3 for 60 s");
    }

    @Test
    void what_no_rule_limits_passes_without_a_limit() {
        assertThat(ask(of("nothing", "7")).statuses()).containsExactly(Status.NO_RULE);
        assertThat(decide(new Request("elsewhere", List.of(user("7")), 0)).statuses())
                .containsExactly(Status.NO_RULE);
        assertThat(store.size()).isZero();
    }

    @Test
    void an_unlimited_rule_passes_everything_uncounted() {
        assertThat(ask(of("staff", "7")).statuses()).containsExactly(Status.UNLIMITED);
        assertThat(store.size()).isZero();
    }

    @Test
    void a_request_without_hits_asks_for_one_and_a_descriptor_with_none_looks() {
        assertThat(statuses(decide(new Request("shop", List.of(user("7")), 0)))).containsExactly("ok 2 of 3 for 60 s");
        assertThat(statuses(decide(new Request("shop", List.of(user("7")), 2)))).containsExactly("ok 0 of 3 for 60 s");
        var look = new Descriptor(user("7").entries(), null, 0, false);
        assertThat(statuses(decide(new Request("shop", List.of(look), 2)))).containsExactly("ok 0 of 3 for 60 s");
    }

    @Test
    void a_refund_gives_hits_back_and_always_passes() {
        ask(user("7"));
        ask(user("7"));
        var refund = new Descriptor(user("7").entries(), null, 1, true);
        assertThat(statuses(ask(refund))).containsExactly("ok 2 of 3 for 60 s");
        var everything = new Descriptor(user("7").entries(), null, 500, true);
        assertThat(statuses(ask(everything))).containsExactly("ok 3 of 3 for 60 s");
        assertThat(statuses(ask(new Descriptor(user("9").entries(), null, 5, true))))
                .containsExactly("ok 3 of 3 for 60 s");
    }

    @Test
    void a_limit_that_the_caller_sends_replaces_the_rules_even_where_there_are_none() {
        var week = user("7").withLimit(Quota.per(Unit.WEEK, 1));
        assertThat(ask(week).isOver()).isFalse();
        assertThat(ask(week).isOver()).isTrue();
        assertThat(statuses(ask(user("7")))).containsExactly("ok 2 of 3 for 60 s");
        var free = new Descriptor(List.of(new Entry("free", "x")), Quota.per(Unit.DAY, 5), 2, false);
        assertThat(statuses(ask(free))).containsExactly("ok 3 of 5 for 86400 s");
    }

    @Test
    void a_shadow_rule_counts_and_refuses_nothing() {
        ask(of("shadow", "x"));
        Verdict over = ask(of("shadow", "x"));
        assertThat(over.isOver()).isFalse();
        assertThat(statuses(over)).containsExactly("ok 0 of 1 for 60 s");
    }

    @Test
    void quota_rules_refuse_only_together() {
        ask(of("quota", "a"));
        assertThat(ask(of("quota", "a"), of("quota", "b")).isOver()).isFalse();
        Verdict both = ask(of("quota", "a"), of("quota", "b"));
        assertThat(both.isOver()).isTrue();
        assertThat(ask(of("quota", "a"), of("quota", "b"), of("nothing", "")).isOver())
                .isTrue();
    }

    @Test
    void a_quota_rule_that_is_over_does_not_save_a_rule_that_is() {
        ask(of("quota", "a"));
        for (int i = 0; i < 3; i++) {
            ask(user("7"));
        }
        assertThat(ask(user("7"), of("quota", "b")).isOver()).isTrue();
    }

    @Test
    void an_unlimited_rule_saves_no_quotas_that_are_all_over() {
        ask(of("quota", "a"), of("quota", "b"));
        assertThat(ask(of("quota", "a"), of("quota", "b"), of("guest", "7")).isOver())
                .isTrue();
    }

    @Test
    void a_replaced_rule_is_not_counted() {
        Verdict verdict = ask(user("7"), of("vip", "7"));
        assertThat(statuses(verdict)).containsExactly("no rule", "ok 8 of 9 for 60 s");
        assertThat(statuses(ask(user("7")))).containsExactly("ok 2 of 3 for 60 s");
    }

    @Test
    void all_counters_of_an_atomic_domain_lie_in_one_place_and_those_of_another_do_not() {
        var nodes = List.of(node("user", "", 3, Flags.NONE, ""), node("shadow", "", 1, SHADOW, ""));
        var descriptors = List.of(user("7"), user("8"), of("shadow", "x"));
        rules = RuleSet.of(
                List.of(new Domain("scattered", nodes, false, null), new Domain("atomic", nodes, true, null)));
        assertThat(places(new Request("scattered", descriptors, 0))).doesNotHaveDuplicates();
        assertThat(Set.copyOf(places(new Request("atomic", descriptors, 0)))).hasSize(1);
    }

    @Test
    void mistakes_of_the_caller_are_told_with_the_bound_and_touch_nothing() {
        assertMistake(new Request("", List.of(user("7")), 0), "domain must not be empty");
        assertMistake(new Request("shop", List.of(), 0), "descriptor list must not be empty");
        assertMistake(
                new Request("shop", Collections.nCopies(5, user("7")), 0),
                "may hold 4 descriptors (MAX_DESCRIPTORS), this one holds more");
        assertMistake(
                new Request("shop", List.of(user("7"), of("a", "b", "c", "d", "e", "f")), 0),
                "may hold 2 entries (MAX_ENTRIES), one of this request holds more");
        assertMistake(new Request("shop", List.of(user("7")), 1_001), "at most 1000 (MAX_HITS)");
        var tooMany = new Descriptor(user("7").entries(), null, Long.MAX_VALUE, false);
        assertMistake(new Request("shop", List.of(user("7"), tooMany), 0), "at most 1000 (MAX_HITS)");
        assertThat(store.size()).isZero();
        assertThat(heard).hasSize(6).containsOnly("refused");
    }

    @Test
    void what_reaches_a_bound_is_not_beyond_it() {
        var widest = new Request("shop", Collections.nCopies(4, of("user", "7", "path", "/")), 0);
        assertThat(decide(widest).statuses()).hasSize(4);
        assertThat(decide(new Request("shop", List.of(user("7")), 1_000)).isOver())
                .isTrue();
        assertThat(heard).doesNotContain("refused");
    }

    @Test
    void without_rules_there_is_nothing_to_decide_by() {
        rules = null;
        assertThatThrownBy(() -> ask(user("7"))).hasCauseInstanceOf(NoRulesException.class);
        assertThat(heard).containsExactly("without rules");
    }

    @Test
    void a_store_that_fails_decides_nothing() {
        for (int i = 0; i < 1_000; i++) {
            ask(of("user", "filler" + i));
        }
        heard.clear();
        assertThatThrownBy(() -> ask(user("one more")))
                .cause()
                .isInstanceOfSatisfying(
                        UndecidedException.class,
                        full -> assertThat(full.isUnasked())
                                .as("nothing was counted")
                                .isTrue())
                .hasMessageContaining("full");
        assertThat(heard).containsExactly("undecided");
    }

    @Test
    void nothing_of_a_failure_of_the_store_has_a_stack_trace_for_each_request_may_fail() {
        var failing = new Decider(
                () -> rules,
                new OneAnswerStore(CompletableFuture.failedFuture(new StoreException("is gone"))),
                null,
                BOUNDS,
                Answering.PLAIN,
                new Listener());
        var request = new Request("shop", List.of(user("7")), 0);
        Throwable told = failureOf(failing.decide(request));
        assertThat(told.getCause())
                .isInstanceOfSatisfying(
                        UndecidedException.class,
                        gone -> assertThat(gone.isUnasked()).as("nobody knows").isFalse());
        assertNoStackTraces(told);
    }

    @Test
    void nothing_of_a_caller_that_leaves_has_a_stack_trace_for_all_of_them_may_leave() {
        var asked = new CompletableFuture<List<Reading>>();
        var silent = new Decider(() -> rules, new OneAnswerStore(asked), null, BOUNDS, Answering.PLAIN, new Listener());
        var decision = silent.decide(new Request("shop", List.of(user("7")), 0));
        decision.abandon();
        assertThat(asked).as("the store need not answer").isCancelled();
        Throwable told = failureOf(decision);
        assertThat(told).hasCauseInstanceOf(CancellationException.class);
        assertNoStackTraces(told);
        assertThat(heard).containsExactly("abandoned");
    }

    private static Throwable failureOf(Decision decision) {
        return decision.verdict()
                .handle((_, failure) -> failure)
                .toCompletableFuture()
                .join();
    }

    private static void assertNoStackTraces(Throwable told) {
        for (Throwable part = told; part != null; part = part.getCause()) {
            assertThat(part.getStackTrace()).as(part.toString()).isEmpty();
        }
    }

    @Test
    void a_store_that_is_busy_turns_the_request_away() {
        var busy = new Decider(
                () -> rules,
                new OneAnswerStore(CompletableFuture.failedFuture(new StoreBusyException())),
                null,
                BOUNDS,
                Answering.PLAIN,
                new Listener());
        var request = new Request("shop", List.of(user("7")), 0);
        assertThatThrownBy(() ->
                        busy.decide(request).verdict().toCompletableFuture().join())
                .hasCauseInstanceOf(OverloadedException.class);
        assertThat(heard).containsExactly("turned away");
    }

    @Test
    void a_defect_fails_the_request_wherever_it_is_and_is_told_once() {
        var defect = new IllegalStateException("a defect");
        assertDefect(
                () -> {
                    throw defect;
                },
                store);
        assertDefect(() -> rules, new OneAnswerStore(CompletableFuture.failedFuture(defect)));
        assertDefect(() -> rules, new OneAnswerStore(() -> {
            throw defect;
        }));
        assertDefect(() -> rules, new OneAnswerStore(CompletableFuture.completedFuture(List.of())));
    }

    private void assertDefect(Supplier<@Nullable RuleSet> inForce, Store asked) {
        heard.clear();
        var verdict = new Decider(inForce, asked, null, BOUNDS, Answering.PLAIN, new Listener())
                .decide(new Request("shop", List.of(user("7")), 0))
                .verdict();
        assertThatThrownBy(() -> verdict.toCompletableFuture().join()).isInstanceOf(CompletionException.class);
        assertThat(heard).containsExactly("failed");
    }

    private void assertMistake(Request request, String message) {
        assertThatThrownBy(() -> decide(request))
                .cause()
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(message);
    }

    private Verdict ask(Descriptor... descriptors) {
        return decide(new Request("shop", Arrays.asList(descriptors), 0));
    }

    private Verdict decide(Request request) {
        return decide(store, request);
    }

    private Verdict decide(Store asked, Request request) {
        return new Decider(() -> rules, asked, null, BOUNDS, Answering.PLAIN, new Listener())
                .decide(request)
                .verdict()
                .toCompletableFuture()
                .join();
    }

    /** Where the counters of the request lie, one for each check. */
    private List<Integer> places(Request request) {
        var noting = new NotingStore(store, new ArrayList<>());
        decide(noting, request);
        return noting.asked.getFirst().checks().stream()
                .map(check -> check.key().place())
                .toList();
    }

    private static List<String> statuses(Verdict verdict) {
        return verdict.statuses().stream()
                .map(s -> s.quota() == null
                        ? "no rule"
                        : (s.isOver() ? "OVER " : "ok ") + s.remaining() + " of "
                                + s.quota().hits() + " for " + s.resetSeconds() + " s")
                .toList();
    }

    private static Descriptor user(String id) {
        return of("user", id);
    }

    private static Descriptor of(String... keysAndValues) {
        var entries = new ArrayList<Entry>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            entries.add(new Entry(keysAndValues[i], keysAndValues[i + 1]));
        }
        return new Descriptor(entries, null, Descriptor.UNSET_HITS, false);
    }

    private static RuleNode node(String key, String value, long perMinute, Flags flags, String name) {
        var limit = Limit.fixedWindow(Quota.per(Unit.MINUTE, perMinute));
        return new RuleNode(
                key, value, new RateLimit(List.of(new NamedLimit(limit, name)), List.of()), flags, Map.of(), List.of());
    }

    private static RuleNode replacing(String key, String value, long perMinute, String replaced) {
        var limit = Limit.fixedWindow(Quota.per(Unit.MINUTE, perMinute));
        var rateLimit = new RateLimit(List.of(new NamedLimit(limit, "")), List.of(replaced));
        return new RuleNode(key, value, rateLimit, Flags.NONE, Map.of(), List.of());
    }

    private static RuleNode unlimited(String key, String value, Flags flags) {
        return new RuleNode(key, value, RateLimit.unlimited(List.of()), flags, Map.of(), List.of());
    }

    private final class Listener implements DecisionListener {
        @Override
        public HitListener hits() {
            return new DeafListener().hits();
        }

        @Override
        public void decided(Request request, Verdict verdict) {}

        @Override
        public void refused(InvalidRequestException mistake) {
            heard.add("refused");
        }

        @Override
        public void withoutRules() {
            heard.add("without rules");
        }

        @Override
        public void undecided(UndecidedException failure) {
            heard.add("undecided");
        }

        @Override
        public void decidedWithoutStore(StoreException failure) {
            heard.add("decided without the store");
        }

        @Override
        public void turnedAway() {
            heard.add("turned away");
        }

        @Override
        public void failed() {
            heard.add("failed");
        }

        @Override
        public void abandoned() {
            heard.add("abandoned");
        }
    }
}
