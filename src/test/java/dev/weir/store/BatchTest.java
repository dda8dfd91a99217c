package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Charge;
import dev.weir.limit.Evaluation;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What is merged, what is not, and who gets which answer. */
final class BatchTest {
    private static final Limit TEN = Limit.fixedWindow(Quota.per(Unit.MINUTE, 10));
    private static final Limit FIVE = Limit.fixedWindow(Quota.per(Unit.MINUTE, 5));

    private final Batch batch = new Batch();
    private final List<String> answers = new ArrayList<>();
    private boolean isOver;
    private final Batch.Receiver receiver = new Batch.Receiver() {
        @Override
        public boolean isOver() {
            return isOver;
        }

        @Override
        public void answered(int position, Reading reading, long at) {
            answers.add(position + (reading.isAdmitted() ? " in, " : " out, ") + reading.remaining() + " left, "
                    + reading.available() + " there");
        }

        @Override
        public void failed(int position, StoreException failure) {
            answers.add(position + " " + failure.getMessage());
        }

        @Override
        public void scattered() {
            answers.add("scattered");
        }
    };

    @Test
    void equal_checks_are_one() {
        add("a", TEN, 1);
        add("b", TEN, 1);
        add("a", TEN, 1);
        assertThat(times()).containsExactly(2, 1);
    }

    @Test
    void checks_with_another_limit_other_hits_or_refunds_stay_apart() {
        add("a", TEN, 1);
        add("a", FIVE, 1);
        add("a", FIVE, 2);
        batch.add(Check.refund(key("a"), FIVE, 2), receiver, 3);
        batch.add(Check.refund(key("a"), FIVE, 2), receiver, 4);
        assertThat(times()).containsExactly(1, 1, 1, 1, 1);
    }

    @Test
    void a_different_check_of_the_same_counter_in_between_keeps_equal_ones_apart() {
        add("a", TEN, 1);
        add("a", TEN, 2);
        add("a", TEN, 1);
        assertThat(times()).containsExactly(1, 1, 1);
    }

    @Test
    void the_first_to_come_are_admitted_and_each_sees_what_it_would_have_seen_alone() {
        for (int i = 0; i < 4; i++) {
            add("a", TEN, 3);
        }
        // 1 used before: two of the four fit, and leave 3
        batch.checks().getFirst().answer(new Evaluation(2, 3, 7, 0, 7, 0, true));
        batch.answer();
        assertThat(answers)
                .containsExactly(
                        "0 in, 6 left, 9 there",
                        "1 in, 3 left, 6 there",
                        "2 out, 0 left, 3 there",
                        "3 out, 0 left, 0 there");
    }

    @Test
    void a_counter_that_fails_fails_only_its_own() {
        add("a", TEN, 1);
        add("b", TEN, 1);
        batch.checks().get(0).fail(new StoreException("no number"));
        batch.checks().get(1).answer(new Evaluation(1, 9, 7, 0, 7, 0, true));
        batch.answer();
        assertThat(answers).containsExactly("0 no number", "1 in, 9 left, 10 there");
    }

    @Test
    void a_check_that_the_store_leaves_out_fails() {
        add("a", TEN, 1);
        add("b", TEN, 1);
        batch.checks().getFirst().answer(new Evaluation(1, 9, 7, 0, 7, 0, true));
        batch.answer();
        assertThat(answers).containsExactly("0 in, 9 left, 10 there", "1 the store left a check unanswered");
    }

    @Test
    void what_one_call_leaves_unanswered_another_one_answers() {
        add("a", TEN, 1);
        add("b", TEN, 1);
        add("c", TEN, 1);
        add("b", TEN, 1);
        batch.checks().get(0).answer(new Evaluation(1, 9, 7, 0, 7, 0, true));
        batch.checks().get(2).fail(new StoreException("no number"));
        Batch rest = Objects.requireNonNull(batch.takeUnanswered());
        assertThat(times()).containsExactly(1, 1);
        batch.answer();
        assertThat(answers).containsExactly("0 in, 9 left, 10 there", "2 no number");
        assertThat(rest.checks()).singleElement().extracting(Merged::times).isEqualTo(2);
        rest.checks().getFirst().answer(new Evaluation(2, 8, 7, 0, 7, 0, true));
        assertThat(rest.takeUnanswered()).isNull();
        rest.answer();
        assertThat(answers)
                .endsWith("1 in, 9 left, 10 there", "3 in, 8 left, 9 there")
                .hasSize(4);
    }

    @Test
    void what_nobody_waits_for_is_asked_again_too_for_it_may_need_an_expiry() {
        add("a", TEN, 1);
        isOver = true;
        assertThat(batch.takeUnanswered()).isNotNull();
    }

    @Test
    void what_is_owed_is_not_left_out_where_it_goes_in_several_calls() {
        add("a", TEN, 1);
        add("b", TEN, 1);
        batch.checks().forEach(Merged::oweExpiry);
        isOver = true;
        Batch rest = Objects.requireNonNull(batch.takeUnanswered());
        assertThat(rest.splitBy(key -> key.equals(key("a")) ? 1 : 0, 2))
                .hasSize(2)
                .allSatisfy(part -> assertThat(part.splitByCounter()).hasSize(1));
    }

    @Test
    void what_is_handed_on_is_answered_to_who_waits_for_it() {
        add("a", TEN, 1);
        add("b", TEN, 2);
        var handedOn = new ArrayList<Queued>();
        batch.handOn(handedOn::add);
        assertThat(handedOn)
                .extracting(part -> part.plan().checks().getFirst().hits())
                .containsExactly(1L, 2L);
        handedOn.get(1).failed(0, new StoreException("gone"));
        assertThat(answers).containsExactly("1 gone");
    }

    @Test
    void what_nobody_waits_for_is_not_handed_on_unless_it_is_owed() {
        add("a", TEN, 1);
        add("b", TEN, 1);
        isOver = true;
        var handedOn = new ArrayList<Queued>();
        batch.handOn(handedOn::add);
        assertThat(handedOn).isEmpty();
        batch.checks().getLast().oweExpiry();
        Objects.requireNonNull(batch.takeUnanswered()).handOn(handedOn::add);
        assertThat(handedOn)
                .singleElement()
                .matches(part -> !part.isOver())
                .matches(part -> part.plan().checks().getFirst().key().equals(key("b")));
    }

    @Test
    void a_lost_call_fails_all() {
        add("a", TEN, 1);
        add("a", TEN, 1);
        batch.fail(new StoreException("gone"));
        assertThat(answers).containsExactly("0 gone", "1 gone");
    }

    @Test
    void more_than_it_may_merge_begins_another_one() {
        for (int i = 0; i <= Batch.MAX_TIMES; i++) {
            add("a", TEN, 1);
        }
        assertThat(times()).containsExactly(Batch.MAX_TIMES, 1);
    }

    @Test
    void split_batches_keep_the_order_and_know_their_receivers() {
        add("a", TEN, 1);
        add("b", TEN, 1);
        add("a", TEN, 1);
        var parts = batch.splitBy(key -> key.equals(key("a")) ? 1 : 0, 2);
        assertThat(parts).hasSize(2);
        parts.get(1).checks().getFirst().answer(new Evaluation(2, 8, 7, 0, 7, 0, true));
        parts.get(1).answer();
        assertThat(answers).containsExactly("0 in, 9 left, 10 there", "2 in, 8 left, 9 there");
    }

    @Test
    void the_smallest_parts_of_a_batch_are_its_counters_and_the_plans_that_wait_for_all_of_theirs() {
        var onAdmit = new Limit(TEN.quota(), TEN.algorithm(), Charge.ON_ADMIT, 0);
        add("a", TEN, 1);
        add("b", TEN, 1);
        add("a", FIVE, 1);
        batch.add(Plan.of(List.of(Check.of(key("a"), onAdmit, 1), Check.of(key("b"), onAdmit, 1))), receiver);
        assertThat(batch.isSplittable()).isTrue();
        var parts = batch.splitByCounter();
        assertThat(parts)
                .noneMatch(Batch::isSplittable)
                .extracting(part -> part.checks().stream()
                        .map(merged -> merged.check().key())
                        .toList())
                .containsExactly(List.of(key("a"), key("b")), List.of(key("a"), key("a")), List.of(key("b")));
        parts.forEach(part -> part.fail(new StoreException("gone")));
        assertThat(answers).containsExactly("0 gone", "1 gone", "0 gone", "2 gone", "1 gone");
    }

    @Test
    void what_nobody_waits_for_is_left_out_of_split_batches() {
        add("a", TEN, 1);
        isOver = true;
        assertThat(batch.splitBy(_ -> 0, 1)).isEmpty();
    }

    private void add(String counter, Limit limit, long hits) {
        batch.add(Check.of(key(counter), limit, hits), receiver, batch.size());
    }

    private List<Integer> times() {
        return batch.checks().stream().map(Merged::times).toList();
    }

    private static CounterKey key(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return new CounterKey(bytes, bytes.length);
    }
}
