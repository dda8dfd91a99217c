package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What leaves a queue, and when. */
final class WaitingPlansTest {
    private static final int HALF_OF_THE_SEATS = 8_192;
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
        var check = Check.of(StoreContract.key("owed"), TEN, 1);
        waiting.add(Queued.Part.of(check, new UnaskedReceiver(() -> true), 0, true));
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
    void where_they_are_not_nobody_looks() {
        come(2);
        giveUp(0);
        giveUp(1);
        waiting.makeRoom();
        assertThat(waiting.isEmpty()).isFalse();
    }

    private void come(int count) {
        for (int i = 0; i < count; i++) {
            var isOver = new AtomicBoolean();
            var check = Check.of(StoreContract.key("counter " + i), TEN, 1);
            givenUp.add(isOver);
            waiting.add(Queued.Part.of(check, new UnaskedReceiver(isOver::get), 0, false));
        }
    }

    private void giveUp(int number) {
        givenUp.get(number).set(true);
    }
}
