package dev.weir.store.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Beyond;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Role;
import dev.weir.store.StoreBusyException;
import dev.weir.store.StoreContract;
import dev.weir.store.StoreException;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the other checks where some of a request are refused from memory: user "over" has had his one hit. */
final class OverLimitPlansTest {
    private static final Quota FIVE = Quota.per(Unit.MINUTE, 5);
    private static final Limit ALWAYS = Limit.fixedWindow(FIVE);
    private static final Limit ON_ADMIT = Limit.of(FIVE, new Algorithm.Gcra(5));
    private static final Limit DRAIN = new Limit(FIVE, new Algorithm.TokenBucket(5), Charge.DRAIN, 0);
    private static final Limit ONE = Limit.fixedWindow(Quota.per(Unit.MINUTE, 1));

    private static final Check OVER = hit("over", ONE);

    private final OverLimitBench bench = new OverLimitBench();

    @BeforeEach
    void remember() {
        bench.at(StoreContract.NOON_MICROS);
        bench.ask(OVER);
        bench.ask(OVER);
        bench.sent.clear();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void hits_that_count_in_any_case_still_reach_the_store_and_others_are_only_shown() {
        var readings = bench.ask(hit("always", ALWAYS), hit("on admit", ON_ADMIT), OVER, hit("drain", DRAIN));
        assertThat(readings).extracting(Reading::isAdmitted).containsExactly(true, true, false, true);
        assertThat(readings).extracting(Reading::remaining).containsExactly(4L, 5L, 0L, 4L);
        assertThat(bench.sent)
                .containsExactly(new Plan(
                        List.of(hit("always", ALWAYS), hit("on admit", ON_ADMIT), hit("drain", DRAIN)),
                        Beyond.REFUSED));
        assertThat(left("always", ALWAYS)).isEqualTo(4);
        assertThat(left("on admit", ON_ADMIT)).isEqualTo(5);
        assertThat(left("drain", DRAIN)).isEqualTo(4);
    }

    @Test
    void a_plan_that_memory_refuses_as_a_whole_reaches_nobody() {
        var readings = bench.ask(OVER, OVER);
        assertThat(readings).extracting(Reading::isAdmitted).containsExactly(false, false);
        assertThat(bench.sent).isEmpty();
        assertThat(bench.remembered).hasValue(2);
    }

    @Test
    void what_memory_did_not_refuse_is_not_told_as_remembered() {
        bench.ask(hit("always", ALWAYS), OVER, hit("on admit", ON_ADMIT));
        assertThat(bench.remembered).hasValue(1);
    }

    @Test
    void a_shadow_that_refuses_keeps_nobody_from_being_charged() {
        bench.ask(OVER.as(Role.SHADOW, 0), hit("on admit", ON_ADMIT).as(Role.ENFORCING, 1));
        assertThat(bench.sent).extracting(Plan::beyond).containsExactly(Beyond.NOTHING);
        assertThat(left("on admit", ON_ADMIT)).isEqualTo(4);
    }

    @Test
    void a_quota_that_refuses_waits_for_the_other_quotas() {
        var refusing = OVER.as(Role.QUOTA, 0);
        var passing = hit("on admit", ON_ADMIT).as(Role.QUOTA, 1);
        bench.ask(refusing, passing);
        assertThat(left("on admit", ON_ADMIT)).as("the other quota passes").isEqualTo(4);

        bench.ask(refusing, hit("on admit", ON_ADMIT).as(Role.SHADOW, 1));
        assertThat(left("on admit", ON_ADMIT)).as("it was the only quota").isEqualTo(4);

        bench.ask(new Plan(List.of(refusing, passing.as(Role.SHADOW, 1)), Beyond.SOME_QUOTA_PASSES));
        assertThat(left("on admit", ON_ADMIT)).as("an unlimited quota passes").isEqualTo(3);
    }

    @Test
    void a_quota_with_several_limits_passes_only_if_all_of_them_admit() {
        var refused = hit("refused", Limit.of(Quota.per(Unit.MINUTE, 0), new Algorithm.Gcra(1)));
        bench.ask(
                OVER.as(Role.QUOTA, 0),
                hit("second limit", ON_ADMIT).as(Role.QUOTA, 0),
                refused.as(Role.QUOTA, 1),
                hit("on admit", ON_ADMIT).as(Role.ENFORCING, 2));
        assertThat(left("on admit", ON_ADMIT)).as("both quotas refuse").isEqualTo(5);
        assertThat(left("second limit", ON_ADMIT)).isEqualTo(5);
    }

    @Test
    void what_the_store_refuses_beside_a_remembered_refusal_or_a_refund_is_remembered_too() {
        for (Check beside : List.of(OVER, Check.refund(StoreContract.key("always"), ALWAYS, 1))) {
            Check other = hit(beside.isRefund() ? "beside a refund" : "beside a refusal", ONE);
            bench.ask(other);
            assertThat(bench.ask(beside, other).getLast().isAdmitted()).isFalse();
            bench.sent.clear();
            assertThat(bench.ask(other).isAdmitted()).isFalse();
            assertThat(bench.sent).isEmpty();
        }
    }

    @Test
    void a_refund_in_the_plan_makes_it_ask_for_all() {
        var readings = bench.ask(Check.refund(OVER.key(), ONE, 2), OVER);
        assertThat(readings).extracting(Reading::isAdmitted).containsExactly(true, true);
        assertThat(bench.remembered).hasValue(0);
    }

    @Test
    void a_refund_counts_although_the_request_is_refused() {
        bench.elsewhere(hit("always", ALWAYS));
        var readings = bench.ask(OVER, Check.refund(StoreContract.key("always"), ALWAYS, 1));
        assertThat(readings).extracting(Reading::isAdmitted).containsExactly(false, true);
        assertThat(left("always", ALWAYS)).isEqualTo(5);
    }

    @Test
    void what_an_equal_descriptor_of_a_refused_plan_took_for_a_moment_is_not_held_against_the_next_one() {
        var all = Check.of(StoreContract.key("twice"), ON_ADMIT, 5);
        var one = hit("twice", ON_ADMIT).as(Role.ENFORCING, 1);
        assertThat(bench.ask(all, one)).extracting(Reading::isAdmitted).containsExactly(true, false);
        assertThat(bench.ask(one).isAdmitted()).as("nothing was charged").isTrue();
    }

    @Test
    void a_refund_behind_a_refused_check_is_not_forgotten() {
        var over = hit("later refunded", ONE);
        bench.ask(over);
        bench.at(StoreContract.NOON_MICROS + 1);
        assertThat(bench.ask(over, Check.refund(over.key(), ONE, 2)))
                .extracting(Reading::isAdmitted)
                .containsExactly(false, true);
        assertThat(bench.ask(over).isAdmitted()).isTrue();
    }

    @Test
    void a_failure_of_the_store_is_told_as_it_came() {
        var silent = new SilentStore();
        var store = OverLimitStore.around(silent, 1 << 20, _ -> {}, () -> 0);
        var told =
                store.decide(Plan.of(List.of(Check.refund(OVER.key(), ONE, 1)))).toCompletableFuture();
        var failure = new StoreException("is gone");
        silent.asked.getFirst().completeExceptionally(failure);
        assertThat(told.handle((_, carried) -> carried).join())
                .as("with no stack trace around it")
                .isSameAs(failure);
    }

    @Test
    void what_memory_refuses_is_known_though_the_store_fails_with_the_rest() {
        assertThat(admittedBy(failureOf(new StoreException("is gone")))).containsExactly(null, false, null);
        var some = new StoreException("is gone in part")
                .withReadings(Arrays.asList(null, new Reading(true, 4, 5, 0, 0, 0)));
        assertThat(admittedBy(failureOf(some))).containsExactly(null, false, true);
        var busy = new StoreBusyException();
        assertThat(failureOf(busy)).isSameAs(busy);
    }

    /** Asks for what memory refuses, between two others. */
    private static Throwable failureOf(RuntimeException ofRest) {
        var silent = new SilentStore();
        var store = OverLimitStore.around(silent, 1 << 20, _ -> {}, () -> 0);
        var _ = store.decide(Plan.of(List.of(OVER)));
        silent.asked.getLast().complete(List.of(new Reading(false, 0, 0, 60_000_000, 60_000_000, 0)));
        var told = store.decide(Plan.of(List.of(hit("one", ALWAYS), OVER, hit("two", ALWAYS))))
                .toCompletableFuture();
        assertThat(silent.plans.getLast().checks()).hasSize(2);
        silent.asked.getLast().completeExceptionally(ofRest);
        return told.exceptionNow();
    }

    private static Stream<@Nullable Boolean> admittedBy(Throwable failure) {
        return ((StoreException) failure).readings().stream().map(read -> read == null ? null : read.isAdmitted());
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 499})
    void many_refusals_are_learned_without_comparing_each_with_each(int counters) {
        var looks = new AtomicInteger();
        List<Check> checks = new AbstractList<>() {
            @Override
            public Check get(int i) {
                looks.incrementAndGet();
                return hit("many " + i % counters, ONE);
            }

            @Override
            public int size() {
                return 500;
            }
        };
        var silent = new SilentStore();
        var store = OverLimitStore.around(silent, 1 << 20, _ -> {}, () -> 0);
        var _ = store.decide(Plan.of(checks));
        looks.set(0);
        silent.asked.getFirst().complete(Collections.nCopies(500, new Reading(false, 0, 0, 1_000_000, 1_000_000, 0)));
        assertThat(looks).hasValueBetween(1, 5 * 500);
    }

    private long left(String counter, Limit limit) {
        return bench.elsewhere(Check.of(StoreContract.key(counter), limit, 0)).remaining();
    }

    private static Check hit(String counter, Limit limit) {
        return Check.of(StoreContract.key(counter), limit, 1);
    }
}
