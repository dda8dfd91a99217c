package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who begins, and when. Callers wait for 15 ms. */
final class TurnstileTest {
    private static final long MILLI = 1_000_000;
    private static final long PATIENCE = 15 * MILLI;
    private static final long SLICE = 20 * MILLI;

    private final List<Guest> begun = new ArrayList<>();
    private final List<Turnstile<Guest>.Visit> visits = new ArrayList<>();
    private long now;
    private int overruns;
    private final Turnstile<Guest> turnstile = new Turnstile<>(
            (guest, visit) -> {
                begun.add(guest);
                visits.add(visit);
            },
            () -> overruns++,
            () -> now);

    @Test
    void as_a_rule_each_begins_at_once() {
        for (int i = 0; i < 10_000; i++) {
            come();
        }
        assertThat(begun).hasSize(10_000);
    }

    @Test
    void more_than_a_third_of_what_came_back_too_late_in_three_slices_is_an_overrun() {
        slice(20, 11);
        slice(20, 11);
        slice(20, 10);
        slice(20, 11);
        slice(20, 11);
        assertThat(overruns).isZero();
        slice(20, 11);
        assertThat(overruns).isOne();
    }

    @Test
    void a_store_that_stood_still_is_not_overrun() {
        for (int i = 0; i < 10; i++) {
            slice(0, 100);
            slice(0, 100);
            slice(100, 3);
        }
        assertThat(overruns).isZero();
    }

    @Test
    void nor_is_one_of_which_a_part_hangs() {
        for (int i = 0; i < 100; i++) {
            List<Turnstile<Guest>.Visit> hanging =
                    Stream.generate(this::come).limit(9).toList();
            now += SLICE;
            hanging.forEach(Turnstile<Guest>.Visit::ended);
            slice(20, 3);
        }
        assertThat(overruns).isZero();
    }

    @Test
    void nor_one_whose_callers_hardly_wait() {
        for (int i = 0; i < 100; i++) {
            List<Turnstile<Guest>.Visit> impatient =
                    Stream.generate(this::come).limit(9).toList();
            now += 2 * MILLI - 1;
            impatient.forEach(Turnstile<Guest>.Visit::ended);
            now += SLICE;
            impatient.forEach(Turnstile<Guest>.Visit::answeredTooLate);
        }
        assertThat(overruns).isZero();
    }

    @Test
    void a_few_late_ones_in_a_second_are_enough_if_hardly_any_is_in_time() {
        for (int i = 0; i < 9; i++) {
            assertThat(overruns).isZero();
            var only = come();
            now += 5 * SLICE;
            only.ended();
            only.answeredTooLate();
        }
        assertThat(overruns).isOne();
    }

    @Test
    void a_plan_whose_parts_all_come_too_late_is_late_once() {
        for (int i = 0; i < 10; i++) {
            var only = come();
            now += SLICE;
            for (int j = 0; j < 3; j++) {
                come().answered();
            }
            only.ended();
            for (int j = 0; j < 100; j++) {
                only.answeredTooLate();
            }
        }
        assertThat(overruns).isZero();
    }

    @Test
    void where_the_store_is_overrun_a_third_of_a_slice_is_inside_and_the_newest_begins_first() {
        overrun();
        List<Guest> came = comeTogether(12);
        assertThat(begun).as("as many as fit").containsExactlyElementsOf(came.subList(0, 10));
        answerFirst();
        assertThat(begun).last().isSameAs(came.get(11));
        answerFirst();
        assertThat(begun).last().isSameAs(came.get(10));
    }

    @Test
    void whoever_gives_up_leaves_and_who_stands_and_has_given_up_never_begins() {
        overrun();
        List<Guest> came = comeTogether(12);
        came.get(11).isOver = true;
        visits.removeFirst().ended();
        assertThat(begun)
                .as("nobody begins on the thread of the one who gives up")
                .hasSize(10);
        answerFirst();
        assertThat(begun).last().isSameAs(came.get(10));
        assertThat(begun).doesNotContain(came.get(11));
        Guest latest = comeTogether(1).getFirst();
        assertThat(begun).last().isSameAs(latest);
    }

    @Test
    void fewer_are_inside_while_many_are_late_and_more_while_they_take_less_than_half_of_their_time() {
        overrun();
        assertThat(mostInside(SLICE - 1, true)).isEqualTo(10);
        assertThat(mostInside(PATIENCE / 3, false)).as("half as many").isEqualTo(5);
        assertThat(mostInside(PATIENCE / 10, false)).as("half as many again").isEqualTo(8);
        assertThat(mostInside(PATIENCE / 10, false)).isEqualTo(12);
    }

    @Test
    void a_bound_grows_though_all_take_their_time_as_long_as_few_are_late() {
        overrun();
        int most = 0;
        for (int i = 0; i < 50; i++) {
            most = mostInside(PATIENCE * 2 / 3, false);
        }
        assertThat(most).isGreaterThan(100);
    }

    @Test
    void time_outside_is_not_time_inside() {
        overrun();
        List<Guest> came = comeTogether(40);
        while (!visits.isEmpty()) {
            now += MILLI / 2;
            answerFirst();
        }
        assertThat(begun).containsAll(came);
        assertThat(mostInside(MILLI, false)).as("half as many again").isEqualTo(15);
    }

    @Test
    void when_nobody_has_stood_for_ten_slices_all_begin_again() {
        overrun();
        for (int i = 0; i < 10; i++) {
            now += SLICE;
            come().answered();
        }
        begun.clear();
        comeTogether(100);
        assertThat(begun).hasSize(100);
    }

    @Test
    void no_more_stand_than_have_room() {
        overrun();
        List<Guest> came = comeTogether(10 + 512 + 1);
        while (!visits.isEmpty()) {
            answerFirst();
        }
        assertThat(begun).hasSize(10 + 512).doesNotContain(came.get(10));
    }

    /** Ends with ten inside at most. */
    private void overrun() {
        for (int i = 0; i < 3; i++) {
            slice(15, 15);
        }
        assertThat(overruns).isOne();
        begun.clear();
        visits.clear();
    }

    /** Some are answered, others too late, the last of which ends the slice. */
    private void slice(int inTime, int late) {
        List<Turnstile<Guest>.Visit> tooLate =
                Stream.generate(this::come).limit(late).toList();
        now += PATIENCE;
        for (int i = 0; i < inTime; i++) {
            come().answered();
        }
        for (int i = 0; i < late; i++) {
            tooLate.get(i).ended();
            now += i == late - 1 ? SLICE - PATIENCE : 0;
            tooLate.get(i).answeredTooLate();
        }
    }

    /** All that can be inside take some time, and the others give up. Returns how many were inside. */
    private int mostInside(long nanos, boolean isLate) {
        visits.clear();
        now += 2 * SLICE;
        comeTogether(200).forEach(guest -> guest.isOver = true);
        now += nanos;
        for (var visit : visits) {
            if (isLate) {
                visit.ended();
                visit.answeredTooLate();
            } else {
                visit.answered();
            }
        }
        return visits.size();
    }

    private Turnstile<Guest>.Visit come() {
        comeTogether(1);
        return visits.removeLast();
    }

    private List<Guest> comeTogether(int guests) {
        var came = new ArrayList<Guest>();
        for (int i = 0; i < guests; i++) {
            var guest = new Guest();
            came.add(guest);
            turnstile.enter(guest);
        }
        return came;
    }

    private void answerFirst() {
        visits.removeFirst().answered();
    }

    private static final class Guest extends TurnstileGuest {
        private boolean isOver;

        @Override
        public boolean isOver() {
            return isOver;
        }
    }
}
