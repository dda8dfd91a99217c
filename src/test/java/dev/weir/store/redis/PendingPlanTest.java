package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Charge;
import dev.weir.limit.Evaluation;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Queued;
import dev.weir.store.Reading;
import dev.weir.store.StoreContract;
import dev.weir.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A plan whose checks go each by itself. */
final class PendingPlanTest {
    private static final Limit TEN = Limit.fixedWindow(Quota.per(Unit.MINUTE, 10));

    private final PendingPlan plan = new PendingPlan(
            Plan.of(List.of(Check.of(StoreContract.key("a"), TEN, 1), Check.of(StoreContract.key("b"), TEN, 2))), _ -> {
                throw new AssertionError("a plan whose checks go each by itself is not scattered");
            });
    private final List<Queued> parts = new ArrayList<>();

    @Test
    void it_is_answered_when_the_last_check_is_and_in_the_order_of_the_request() {
        plan.sendEach(parts::add);
        answer(1, 8);
        assertThat(plan.answer()).isNotDone();
        answer(0, 9);
        assertThat(plan.answer().join()).extracting(Reading::remaining).containsExactly(9L, 8L);
    }

    @Test
    void a_check_that_fails_leaves_the_others_their_way_and_fails_the_plan_at_the_end() {
        plan.sendEach(parts::add);
        parts.getFirst().failed(0, new StoreException("the first node is gone"));
        assertThat(parts.getLast().isOver())
                .as("the other is still to be counted")
                .isFalse();
        answer(1, 8);
        assertThat(failure()).hasMessage("the first node is gone");
        assertThat(failure().readings())
                .extracting(some -> some == null ? null : some.remaining())
                .containsExactly(null, 8L);
    }

    @Test
    void when_time_is_up_it_tells_what_was_answered_by_then() {
        plan.sendEach(parts::add);
        answer(0, 9);
        plan.answer().completeExceptionally(new StoreException("too late"));
        answer(1, 8);
        assertThat(failure().readings())
                .extracting(some -> some == null ? null : some.remaining())
                .containsExactly(9L, null);
    }

    @Test
    void when_time_is_up_before_anything_was_answered_it_says_nothing() {
        var tooLate = new StoreException("too late");
        plan.answer().completeExceptionally(tooLate);
        assertThat(plan.answer().exceptionNow()).isSameAs(tooLate);
    }

    @Test
    void what_is_decided_together_says_nothing_until_all_is_known() {
        var onAdmission = new Limit(TEN.quota(), TEN.algorithm(), Charge.ON_ADMIT, 0);
        var together = new PendingPlan(
                Plan.of(List.of(
                        Check.of(StoreContract.key("a"), onAdmission, 1),
                        Check.of(StoreContract.key("b"), onAdmission, 1))),
                _ -> {});
        together.answered(0, new Reading(true, 9, 9, 0, 0, 0), Check.NO_INSTANT);
        together.answer().completeExceptionally(new StoreException("too late"));
        assertThat(((StoreException) together.answer().exceptionNow()).readings())
                .isEmpty();
    }

    @Test
    void it_is_not_told_as_unasked_if_one_of_its_checks_was_asked() {
        plan.sendEach(parts::add);
        answer(1, 8);
        parts.getFirst().failed(0, StoreException.ofUnasked("not reached yet"));
        assertThat(failure().isUnasked()).isFalse();
        assertThat(failure()).hasMessage("not reached yet");
    }

    @Test
    void nor_if_one_of_its_checks_failed_otherwise() {
        plan.sendEach(parts::add);
        parts.getLast().failed(0, new StoreException("is gone"));
        parts.getFirst().failed(0, StoreException.ofUnasked("not reached yet"));
        assertThat(failure().isUnasked()).isFalse();
    }

    @Test
    void it_is_unasked_if_all_of_its_checks_are() {
        plan.sendEach(parts::add);
        parts.forEach(part -> part.failed(0, StoreException.ofUnasked("not reached yet")));
        assertThat(failure().isUnasked()).isTrue();
    }

    private StoreException failure() {
        return (StoreException) plan.answer().exceptionNow();
    }

    @Test
    void nothing_is_sent_any_more_when_the_caller_has_gone() {
        plan.sendEach(parts::add);
        plan.answer().cancel(false);
        assertThat(parts).allMatch(Queued::isOver);
    }

    private void answer(int part, long left) {
        Check check = parts.get(part).plan().checks().getFirst();
        parts.get(part)
                .answered(0, Reading.of(check, new Evaluation(1, left, left, 0, 1, 0, true), 0), Check.NO_INSTANT);
    }
}
