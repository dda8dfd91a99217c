package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Beyond;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Queued;
import dev.weir.store.Reading;
import dev.weir.store.StoreContract;
import dev.weir.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a plan sends whose counters live in several places. The answers are given by hand. */
final class ScatteredPlanTest {
    private static final long NOON = 1_000_000;
    private static final CounterKey HERE = StoreContract.key("here");
    private static final CounterKey THERE = StoreContract.key("there");
    private static final CounterKey ELSEWHERE = StoreContract.key("elsewhere");
    private static final List<CounterKey> PLACES = List.of(HERE, THERE, ELSEWHERE);
    private static final Limit TEN =
            new Limit(Quota.per(Unit.MINUTE, 10), new Algorithm.FixedWindow(), Charge.ON_ADMIT, 0);

    private final List<Queued> sent = new ArrayList<>();
    private final AtomicInteger chargesKept = new AtomicInteger();

    @Test
    void what_gives_a_charge_back_is_passed_by_nobody() {
        PendingPlan whole = begin(Check.of(HERE, TEN, 1), Check.of(THERE, TEN, 1));
        answer(true);
        answer(false);
        assertThat(sent).extracting(Queued::isUrgent).containsExactly(false, false, true);
        answer(true);
        assertThat(whole.answer().join()).extracting(Reading::isAdmitted).containsExactly(true, false);
        assertThat(chargesKept).hasValue(0);
    }

    @Test
    void when_time_is_up_a_plan_that_was_refused_is_refused_though_not_all_was_given_back() {
        PendingPlan whole = begin(Check.of(HERE, TEN, 1), Check.of(THERE, TEN, 1));
        answer(true);
        assertThat(whole.answer().isDone()).isFalse();
        answer(false);
        whole.answer().completeExceptionally(new StoreException("too late"));
        assertThat(whole.answer().join()).extracting(Reading::isAdmitted).containsExactly(true, false);
        assertThat(sent.getLast().isOver()).as("what gives back is still sent").isFalse();
        answer(true);
        assertThat(chargesKept).hasValue(0);
    }

    @Test
    void when_time_is_up_before_anything_refused_the_plan_fails() {
        PendingPlan whole = begin(Check.of(HERE, TEN, 1), Check.of(THERE, TEN, 1));
        answer(true);
        whole.answer().completeExceptionally(new StoreException("too late"));
        answer(true);
        assertThat(failureOf(whole).readings()).as("what is known by then").containsExactly(reading(true, 9), null);
        assertThat(chargesKept).as("told of the charge that stays").hasValue(1);
    }

    @Test
    void what_is_charged_when_time_is_up_already_is_told_once() {
        PendingPlan whole = begin(Check.of(HERE, TEN, 1), Check.of(THERE, TEN, 1));
        whole.answer().completeExceptionally(new StoreException("too late"));
        answer(true);
        assertThat(chargesKept).hasValue(1);
    }

    @Test
    void what_is_refused_when_time_is_up_already_charges_nothing() {
        PendingPlan whole = begin(Check.of(HERE, TEN, 1), Check.of(THERE, TEN, 1));
        whole.answer().completeExceptionally(new StoreException("too late"));
        answer(false);
        assertThat(chargesKept).hasValue(0);
    }

    @Test
    void a_failure_is_told_as_it_came() {
        PendingPlan whole = begin(Check.of(HERE, TEN, 1), Check.of(THERE, TEN, 1));
        var failure = StoreException.ofUnasked("not reached yet");
        sent.getLast().failed(0, failure);
        sent.getLast().failed(0, failure);
        assertThat(keysSent()).containsExactly(HERE, THERE);
        assertThat(failureOf(whole)).isSameAs(failure);
        assertThat(chargesKept).hasValue(0);
    }

    @Test
    void a_place_that_fails_keeps_nobody_from_the_others() {
        PendingPlan whole = begin(Check.of(HERE, TEN, 1), Check.of(THERE, TEN, 1));
        sent.getLast().failed(0, StoreException.ofAnswer("full"));
        assertThat(sent.getLast().plan().beyond()).as("it is taken to pass").isEqualTo(Beyond.SOME_QUOTA_PASSES);
        answer(reading(true, 4));
        assertThat(failureOf(whole))
                .hasMessage("full")
                .extracting(StoreException::readings, as(LIST))
                .containsExactly(null, reading(true, 4));
        assertThat(chargesKept).as("told of the charge that stays").hasValue(1);
    }

    @Test
    void what_is_charged_in_any_case_in_a_place_that_fails_keeps_nobody_from_charging_on_admission() {
        PendingPlan whole = begin(Check.of(HERE, Limit.fixedWindow(TEN.quota()), 1), Check.of(THERE, TEN, 1));
        sent.getLast().failed(0, StoreException.ofAnswer("full"));
        assertThat(keysSent()).containsExactly(HERE, THERE);
        answer(reading(false, 0));
        assertThat(failureOf(whole).readings()).containsExactly(null, reading(false, 0));
        assertThat(chargesKept).hasValue(0);
    }

    @Test
    void what_was_charged_before_a_place_failed_is_given_back_if_another_refuses() {
        PendingPlan whole = begin(Check.of(HERE, TEN, 1), Check.of(THERE, TEN, 1), Check.of(ELSEWHERE, TEN, 1));
        answer(true);
        sent.getLast().failed(0, StoreException.ofAnswer("full"));
        answer(false);
        assertThat(sent.getLast().plan().checks())
                .containsExactly(Check.of(HERE, TEN, 1).givenBack(NOON));
        assertThat(whole.answer()).isNotDone();
        answer(reading(true, 10));
        assertThat(failureOf(whole).readings()).containsExactly(reading(true, 10), null, reading(false, 0));
        assertThat(chargesKept).hasValue(0);
    }

    @Test
    void when_time_is_up_meanwhile_the_refusal_is_told_with_what_else_is_known() {
        PendingPlan whole = begin(Check.of(HERE, TEN, 1), Check.of(THERE, TEN, 1), Check.of(ELSEWHERE, TEN, 1));
        answer(true);
        sent.getLast().failed(0, StoreException.ofAnswer("full"));
        answer(false);
        whole.answer().completeExceptionally(new StoreException("too late"));
        assertThat(failureOf(whole).readings()).containsExactly(reading(true, 9), null, reading(false, 0));
        answer(true);
        assertThat(chargesKept).as("given back all the same").hasValue(0);
    }

    @Test
    void a_plan_of_which_one_place_has_counted_is_not_told_as_unasked() {
        PendingPlan whole = begin(Check.of(HERE, Limit.fixedWindow(TEN.quota()), 1), Check.of(THERE, TEN, 1));
        answer(true);
        sent.getLast().failed(0, StoreException.ofUnasked("not reached yet"));
        assertThat(failureOf(whole))
                .hasMessage("not reached yet")
                .extracting(StoreException::isUnasked)
                .isEqualTo(false);
    }

    @Test
    void the_parts_of_a_plan_that_has_failed_are_given_up_without_a_stack_trace() {
        PendingPlan whole = begin(Check.of(HERE, TEN, 1), Check.of(THERE, TEN, 1));
        var part = ((PendingPlan) sent.getLast()).answer();
        whole.answer().completeExceptionally(new StoreException("too late"));
        assertThat(part).isCancelled();
        assertThat(part.handle((_, gone) -> gone).join().getStackTrace()).isEmpty();
    }

    @Test
    void a_place_that_can_lock_is_asked_last() {
        var locking = new Limit(TEN.quota(), TEN.algorithm(), Charge.ON_ADMIT, 60);
        PendingPlan whole = begin(Check.of(HERE, locking, 1), Check.of(THERE, TEN, 1));
        assertThat(keysSent()).containsExactly(THERE);
        answer(true);
        assertThat(keysSent()).containsExactly(THERE, HERE);
        answer(true);
        assertThat(whole.answer()).isCompleted();
    }

    @Test
    void once_one_place_has_refused_all_that_are_left_are_asked_together_what_they_have() {
        PendingPlan whole = begin(Check.of(HERE, TEN, 1), Check.of(THERE, TEN, 1), Check.of(ELSEWHERE, TEN, 1));
        assertThat(keysSent()).containsExactly(HERE);
        answer(false);
        assertThat(keysSent()).containsExactly(HERE, THERE, ELSEWHERE);
        assertThat(sent.getLast().plan().beyond()).isEqualTo(Beyond.REFUSED);
        sent.get(1).answered(0, reading(true, 3), NOON);
        answer(true);
        assertThat(whole.answer().join()).extracting(Reading::isAdmitted).containsExactly(false, true, true);
        assertThat(keysSent()).as("nothing is given back").hasSize(3);
    }

    @Test
    void what_was_asked_twice_shows_what_is_left_when_both_are_given_back() {
        PendingPlan whole = begin(Check.of(HERE, TEN, 1), Check.of(HERE, TEN, 1), Check.of(THERE, TEN, 1));
        answer(reading(true, 9), reading(true, 8));
        answer(false);
        answer(reading(true, 9), reading(true, 10));
        assertThat(whole.answer().join()).extracting(Reading::remaining).containsExactly(10L, 10L, 0L);
    }

    @Test
    void what_comes_after_a_hit_on_its_counter_is_asked_with_it_and_not_given_back() {
        PendingPlan whole = begin(
                Check.of(THERE, TEN, 1), // has nothing to do with the others
                Check.of(HERE, TEN, 0),
                Check.of(HERE, TEN, 4),
                Check.refund(HERE, TEN, 3),
                Check.of(HERE, TEN, 0));
        assertThat(hitsSent()).containsExactly(0L); // before anything is taken
        answer(reading(true, 10));
        assertThat(hitsSent()).containsExactly(1L);
        answer(true);
        assertThat(hitsSent()).containsExactly(4L, 3L, 0L);
        answer(reading(false, 0), reading(true, 3), reading(true, 3));
        assertThat(sent.getLast().plan().checks())
                .as("given back")
                .containsExactly(Check.of(THERE, TEN, 1).givenBack(NOON));
        answer(true);
        assertThat(whole.answer().join()).extracting(Reading::remaining).containsExactly(9L, 10L, 0L, 3L, 3L);
        assertThat(chargesKept).hasValue(0);
    }

    @Test
    void a_refund_that_comes_after_a_hit_is_no_charge_that_stays() {
        PendingPlan whole = begin(Check.of(THERE, TEN, 1), Check.of(HERE, TEN, 4), Check.refund(HERE, TEN, 4));
        answer(false);
        answer(reading(true, 10), reading(true, 10));
        assertThat(whole.answer()).isCompleted();
        assertThat(sent).as("nothing is given back").hasSize(2);
        assertThat(chargesKept).hasValue(0);
    }

    private static StoreException failureOf(PendingPlan whole) {
        return (StoreException) whole.answer().exceptionNow();
    }

    private List<Long> hitsSent() {
        return sent.getLast().plan().checks().stream().map(Check::hits).toList();
    }

    private PendingPlan begin(Check... checks) {
        var whole = new PendingPlan(Plan.of(List.of(checks)), _ -> {});
        ScatteredPlan.decide(whole, check -> PLACES.indexOf(check.key()), sent::add, chargesKept::incrementAndGet);
        return whole;
    }

    private List<CounterKey> keysSent() {
        return sent.stream()
                .map(queued -> queued.plan().checks().getFirst().key())
                .toList();
    }

    /** To what was sent last. */
    private void answer(boolean isAdmitted) {
        answer(reading(isAdmitted, isAdmitted ? 9 : 0));
    }

    private void answer(Reading... readings) {
        Queued last = sent.getLast(); // an answer may send the next
        for (int i = 0; i < readings.length; i++) {
            last.answered(i, readings[i], NOON);
        }
    }

    private static Reading reading(boolean isAdmitted, long left) {
        return new Reading(isAdmitted, left, left, 0, 0, 0);
    }
}
