package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What leaves a queue, and when. */
final class WaitingPlansTest {
    private static final int HALF_OF_THE_SEATS = 8_192;
    private static final long MILLI = 1_000_000;
    private static final Limit TEN = Limit.fixedWindow(Quota.per(Unit.MINUTE, 10));

    private final WaitingRoom room = new WaitingRoom();
    private final WaitingPlans waiting = new WaitingPlans(_ -> 0, 1, room);
    private final List<AtomicBoolean> givenUp = new ArrayList<>();

    @Test
    void a_batch_takes_those_in_front_that_somebody_waits_for() {
        come(Batch.MAX_CHECKS + 2);
        giveUp(0);
        giveUp(Batch.MAX_CHECKS + 1);
        assertThat(waiting.drain(new ArrayList<>()))
                .singleElement()
                .satisfies(batch -> assertThat(batch.size()).isEqualTo(Batch.MAX_CHECKS));
        assertThat(waiting.isEmpty()).isFalse();
        assertThat(waiting.drain(new ArrayList<>())).isEmpty();
        assertThat(waiting.isEmpty()).isTrue();
    }

    @Test
    void a_plan_that_is_too_large_for_a_batch_goes_alone() {
        come(1);
        var large = Plan.of(IntStream.range(0, Batch.MAX_CHECKS + 1)
                .mapToObj(i -> Check.of(StoreContract.key("large " + i), TEN, 1))
                .toList());
        waiting.add(new Queued.Part(new UnaskedReceiver(() -> false), 0, large, false));
        come(1);
        for (int size : List.of(1, Batch.MAX_CHECKS + 1, 1)) {
            assertThat(waiting.drain(new ArrayList<>()))
                    .singleElement()
                    .satisfies(batch -> assertThat(batch.size()).isEqualTo(size));
        }
        assertThat(waiting.isEmpty()).isTrue();
    }

    @Test
    void whoever_comes_takes_a_seat_and_whoever_leaves_gives_it_back_however_he_leaves() {
        come(HALF_OF_THE_SEATS);
        for (int i = 0; i < HALF_OF_THE_SEATS - 1; i++) {
            giveUp(i);
        }
        waiting.makeRoom();
        var _ = waiting.drain(new ArrayList<>());
        come(2 * HALF_OF_THE_SEATS - 1);
        assertThat(room.isFull()).isFalse();
        come(1);
        assertThat(room.isFull()).isTrue();
    }

    @Test
    void where_seats_are_short_those_that_nobody_waits_for_leave_at_once() {
        come(HALF_OF_THE_SEATS);
        for (int i = 0; i < HALF_OF_THE_SEATS - 1; i++) {
            giveUp(i);
        }
        waiting.makeRoom();
        assertThat(room.isHalfFull()).isFalse();
        assertThat(waiting.drain(new ArrayList<>()))
                .as("the one that somebody waits for")
                .singleElement()
                .satisfies(batch -> assertThat(batch.size()).isOne());
    }

    @Test
    void so_do_those_behind_one_that_must_be_sent_though_nobody_waits() {
        waiting.add(Queued.Part.of(check("owed"), new UnaskedReceiver(() -> true), 0, true));
        come(HALF_OF_THE_SEATS);
        for (int i = 0; i < HALF_OF_THE_SEATS; i++) {
            giveUp(i);
        }
        waiting.makeRoom();
        assertThat(room.isHalfFull()).isFalse();
        assertThat(waiting.drain(new ArrayList<>()))
                .as("the one that is owed")
                .singleElement()
                .satisfies(batch -> assertThat(batch.size()).isOne());
        assertThat(waiting.isEmpty()).isTrue();
    }

    @Test
    void so_do_those_who_stand() {
        overrun();
        come(HALF_OF_THE_SEATS + Batch.MAX_CHECKS);
        var _ = drain();
        giveUpAll();
        waiting.makeRoom();
        assertThat(waiting.isEmpty()).isTrue();
        come(2 * HALF_OF_THE_SEATS - 1);
        assertThat(room.isFull()).as("each of them has given one seat back").isFalse();
        come(1);
        assertThat(room.isFull()).isTrue();
    }

    @Test
    void where_they_are_not_nobody_looks() {
        come(2);
        giveUp(0);
        giveUp(1);
        waiting.makeRoom();
        assertThat(waiting.isEmpty()).isFalse();
    }

    @Test
    void a_store_that_answers_too_late_for_a_moment_is_not_overrun() {
        for (int i = 0; i < 10; i++) {
            answerLate(29 * MILLI);
        }
        answerInTime(30 * MILLI);
        for (int i = 0; i < 4; i++) {
            answerLate((31 + i * 100) * MILLI);
        }
        answerInTime(500 * MILLI);
        for (int i = 0; i < 10; i++) {
            answerLate((501 + i * 3) * MILLI);
        }
        assertFirstLeavesFirst();
    }

    @Test
    void callers_who_wait_for_less_than_a_store_takes_are_no_sign() {
        for (int i = 0; i < 100; i++) {
            answer(true, 2 * MILLI - 1, i * MILLI);
        }
        assertFirstLeavesFirst();
    }

    private void assertFirstLeavesFirst() {
        come(2 * Batch.MAX_CHECKS);
        assertThat(waiting.turns(4)).isEqualTo(4);
        assertThat(countersOf(drain())).startsWith("counter 0", "counter 1").hasSize(Batch.MAX_CHECKS);
        assertThat(countersOf(drain())).startsWith("counter 256", "counter 257").hasSize(Batch.MAX_CHECKS);
    }

    @Test
    void where_the_store_is_overrun_the_newest_leave_first_and_one_batch_at_a_time() {
        overrun();
        assertThat(waiting.turns(4)).isOne();
        come(2 * Batch.MAX_CHECKS);
        assertThat(countersOf(drain())).startsWith("counter 511", "counter 510").hasSize(Batch.MAX_CHECKS);
        giveUp(0);
        giveUp(255);
        come(1);
        assertThat(countersOf(drain()))
                .as("the newest, then those who stand and still wait")
                .startsWith("counter 0", "counter 254")
                .endsWith("counter 1")
                .hasSize(Batch.MAX_CHECKS - 1);
        assertThat(waiting.isEmpty()).isTrue();
    }

    @Test
    void whoever_stands_until_his_time_is_up_gives_his_seat_back() {
        overrun();
        come(HALF_OF_THE_SEATS);
        var _ = drain();
        for (int i = 0; i < HALF_OF_THE_SEATS; i++) {
            giveUp(i);
        }
        assertThat(waiting.isEmpty()).isFalse();
        assertThat(waiting.drain(new ArrayList<>())).isEmpty();
        assertThat(waiting.isEmpty()).isTrue();
        come(2 * HALF_OF_THE_SEATS - 1);
        assertThat(room.isFull()).isFalse();
    }

    @Test
    void what_is_urgent_is_passed_by_nobody() {
        overrun();
        owe("owed");
        come(2 * Batch.MAX_CHECKS);
        owe("owed too");
        assertThat(countersOf(drain())).startsWith("owed", "owed too", "counter 511");
    }

    @Test
    void what_is_urgent_and_more_than_a_batch_goes_with_the_next_one() {
        overrun();
        for (int i = 0; i <= Batch.MAX_CHECKS; i++) {
            owe("owed " + i);
        }
        assertThat(countersOf(drain())).startsWith("owed 0", "owed 1").hasSize(Batch.MAX_CHECKS);
        assertThat(waiting.isEmpty()).isFalse();
        assertThat(countersOf(drain())).containsExactly("owed 256");
        assertThat(waiting.isEmpty()).isTrue();
    }

    @Test
    void where_the_heap_is_full_while_they_come_to_stand_nobody_is_lost() {
        overrun();
        come(2);
        waiting.add(new Unstood(Plan.of(List.of(check("unstood")))));
        come(1);
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(this::drain);
        assertThat(waiting.isEmpty()).isFalse();
        assertThat(countersOf(drain())).containsExactly("counter 0", "unstood", "counter 1");
        come(2 * HALF_OF_THE_SEATS - 1);
        assertThat(room.isFull()).as("each of them has given one seat back").isFalse();
        come(1);
        assertThat(room.isFull()).isTrue();
    }

    private void owe(String counter) {
        waiting.add(Queued.Part.of(check(counter), new UnaskedReceiver(() -> true), 0, true));
    }

    @Test
    void after_two_seconds_it_is_tried_again_whether_the_first_can_leave_first() {
        overrun();
        answerLate(2_029 * MILLI);
        assertThat(waiting.turns(4)).isOne();
        answerLate(2_030 * MILLI);
        assertThat(waiting.turns(4)).isEqualTo(4);
        come(2);
        assertThat(countersOf(drain())).containsExactly("counter 0", "counter 1");
        for (int i = 0; i < 5; i++) {
            assertThat(waiting.turns(4)).isEqualTo(4);
            answerLate((2_031 + i * 8) * MILLI);
        }
        assertThat(waiting.turns(4)).as("they cannot").isOne();
    }

    @Test
    void batches_of_the_newest_that_come_too_late_were_too_large() {
        overrun();
        come(10 * Batch.MAX_CHECKS);
        int now = 100;
        for (int most : new int[] {256, 128, 64, 32, 16, 8}) {
            Batch batch = drain();
            assertThat(batch.size()).isEqualTo(most);
            giveUpAll();
            come(10 * Batch.MAX_CHECKS);
            waiting.learn(batch, 2 * MILLI, now++ * MILLI);
        }
        for (int most : new int[] {8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 21}) {
            Batch batch = drain();
            assertThat(batch.size()).as("after one in time").isEqualTo(most);
            waiting.learn(batch, 2 * MILLI, now++ * MILLI);
        }
    }

    @Test
    void batches_of_a_few_checks_were_not() {
        overrun();
        come(8);
        Batch few = drain();
        giveUpAll();
        waiting.learn(few, 2 * MILLI, 100 * MILLI);
        come(Batch.MAX_CHECKS);
        assertThat(drain().size()).isEqualTo(Batch.MAX_CHECKS);
    }

    @Test
    void those_that_left_together_are_one_reason_to_send_fewer() {
        var placed = new WaitingPlans(key -> key.bytes()[key.bytes().length - 1] % 2, 2, room);
        placed.groupByPlace();
        overrun(placed);
        var isOver = new AtomicBoolean();
        for (int i = 0; i < 2 * Batch.MAX_CHECKS; i++) {
            placed.add(Queued.Part.of(check("counter " + i), new UnaskedReceiver(isOver::get), 0, false));
        }
        List<Batch> both = placed.drain(new ArrayList<>());
        assertThat(both).hasSize(2);
        isOver.set(true);
        both.forEach(part -> placed.learn(part, 2 * MILLI, 100 * MILLI));
        isOver.set(false);
        assertThat(placed.drain(new ArrayList<>()).stream()
                        .mapToInt(Batch::size)
                        .sum())
                .isEqualTo(128);
    }

    /** At 30 ms. */
    private void overrun() {
        overrun(waiting);
    }

    private static void overrun(WaitingPlans plans) {
        for (int i = 0; i <= 5; i++) {
            answer(plans, true, 2 * MILLI, 6 * MILLI * i);
        }
    }

    private void answerLate(long now) {
        answer(true, 2 * MILLI, now);
    }

    private void answerInTime(long now) {
        answer(false, 2 * MILLI, now);
    }

    private void answer(boolean isLate, long nanos, long now) {
        answer(waiting, isLate, nanos, now);
    }

    private static void answer(WaitingPlans plans, boolean isLate, long nanos, long now) {
        var batch = new Batch();
        batch.add(check("any"), new UnaskedReceiver(() -> isLate), 0);
        plans.learn(batch, nanos, now);
    }

    private Batch drain() {
        List<Batch> batches = waiting.drain(new ArrayList<>());
        assertThat(batches).hasSize(1);
        return batches.getFirst();
    }

    private static List<String> countersOf(Batch batch) {
        return batch.checks().stream()
                .map(merged -> new String(merged.check().key().bytes(), StandardCharsets.UTF_8))
                .toList();
    }

    private void come(int count) {
        for (int i = 0; i < count; i++) {
            var isOver = new AtomicBoolean();
            givenUp.add(isOver);
            waiting.add(Queued.Part.of(check("counter " + i), new UnaskedReceiver(isOver::get), 0, false));
        }
    }

    private static Check check(String counter) {
        return Check.of(StoreContract.key(counter), TEN, 1);
    }

    private void giveUpAll() {
        givenUp.forEach(isOver -> isOver.set(true));
    }

    private void giveUp(int number) {
        givenUp.get(number).set(true);
    }

    /** There is no memory for it when it is to stand for the first time. */
    private static final class Unstood implements Queued, Unasked {
        private final Plan plan;
        private boolean wasAsked;

        Unstood(Plan plan) {
            this.plan = plan;
        }

        @Override
        public Plan plan() {
            return plan;
        }

        @Override
        public boolean isUrgent() {
            if (!wasAsked) {
                wasAsked = true;
                throw new OutOfMemoryError("Java heap space");
            }
            return false;
        }

        @Override
        public boolean isOver() {
            return false;
        }
    }
}
