package dev.weir.limit;

import static dev.weir.limit.Timeline.MINUTE;
import static dev.weir.limit.Timeline.NOON;
import static dev.weir.limit.Timeline.SECOND;
import static dev.weir.limit.Timeline.YEAR;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ten hits a minute, counted from the full minute on. */
final class FixedWindowModelTest {
    private static final Limit TEN_A_MINUTE = Limit.fixedWindow(Quota.per(Unit.MINUTE, 10));

    private final Timeline story = new Timeline(TEN_A_MINUTE, SECOND);

    @Test
    void counts_up_to_the_limit_and_starts_again_with_the_window() {
        //   at s, hits, left, reset, retry
        story.in(0, 1, 9, 60)
                .in(1, 8, 1, 59)
                .out(2, 2, 1, 58, 58) // crosses the limit: refused as a whole, yet counted
                .out(3, 1, 0, 57, 57)
                .out(59, 1, 0, 1, 1)
                .in(60, 1, 9, 60) // the next window
                .in(240, 10, 0, 60); // windows in between were empty
    }

    @Test
    void a_look_changes_nothing_and_passes_while_the_limit_is_not_crossed() {
        story.in(0, 0, 10, 60);
        assertThat(story.counter.state()).isNull();
        story.in(0, 10, 0, 60);
        State full = story.counter.state();
        story.in(0, 0, 0, 60); // exactly used up is not over
        assertThat(story.counter.state()).isSameAs(full);
        story.out(0, 1, 0, 60, 60).out(0, 0, 0, 60, 60);
    }

    @Test
    void hits_that_are_charged_on_admission_leave_no_trace_when_refused() {
        story.under(new Limit(TEN_A_MINUTE.quota(), new Algorithm.FixedWindow(), Charge.ON_ADMIT, 0));
        story.in(0, 8, 2, 60).out(1, 3, 2, 59, 59).in(2, 2, 0, 58).in(3, 0, 0, 57);
    }

    @Test
    void costs_known_afterwards_take_what_is_left() {
        story.under(new Limit(TEN_A_MINUTE.quota(), new Algorithm.FixedWindow(), Charge.DRAIN, 0));
        story.in(0, 7, 3, 60)
                .out(1, 5, 3, 59, 59) // takes the three that were left
                .out(2, 1, 0, 58, 58)
                .out(3, 0, 0, 57, 57) // for them, nothing left is over
                .in(60, 0, 10, 60);
    }

    @Test
    void a_limit_of_zero_refuses_every_hit_but_not_a_look_at_an_untouched_counter() {
        story.under(Limit.fixedWindow(Quota.per(Unit.MINUTE, 0)));
        story.in(0, 0, 0, 60).out(1, 1, 0, 59, 59).out(2, 0, 0, 58, 58).in(60, 0, 0, 60);
    }

    @Test
    void a_refund_sinks_the_count_but_never_below_zero_and_creates_nothing() {
        story.back(0, 5, 10, 60);
        assertThat(story.counter.state()).isNull();
        story.in(0, 7, 3, 60)
                .back(1, 2, 5, 59)
                .back(2, 100, 10, 58)
                .in(3, 10, 0, 57)
                .back(4, 1, 1, 56) // at remaining 0, too
                .back(63, 4, 10, 57) // the window of the hits is over: nothing to give back
                .in(63, 10, 0, 57);
    }

    @Test
    void what_was_charged_is_given_back_in_its_own_window_only() {
        Evaluation charged = story.counter.hit(NOON + 59 * SECOND, 4);
        assertThat(story.counter.giveBack(NOON + 59 * SECOND, 4, charged.at()).left())
                .isEqualTo(10);
        story.in(60, 4, 6, 60);
        assertThat(story.counter.giveBack(NOON + 61 * SECOND, 4, charged.at()).left())
                .isEqualTo(6);
    }

    @Test
    void an_override_with_another_limit_shares_the_count() {
        story.in(0, 6, 4, 60)
                .under(Limit.fixedWindow(Quota.per(Unit.MINUTE, 5)))
                .out(0, 1, 0, 60, 60)
                .under(TEN_A_MINUTE)
                .in(0, 1, 2, 60); // 6 + 1 + 1 of 10
    }

    @Test
    void time_that_steps_back_over_a_boundary_keeps_the_count() {
        story.in(60, 10, 0, 60)
                .out(59, 1, 0, 61, 61) // still the window that began later
                .out(0, 1, 0, 120, 120)
                .out(61, 1, 0, 59, 59);
        assertThat(story.counter.look(NOON + 59 * SECOND).at()).isEqualTo(NOON + MINUTE);
    }

    @Test
    void time_that_steps_back_over_a_boundary_stays_in_the_window_that_was_begun_though_its_hits_were_given_back() {
        story.in(60, 4, 6, 60);
        var _ = story.counter.refund(NOON + MINUTE, 4);
        story.in(59, 3, 7, 61);
    }

    @Test
    void time_that_steps_back_further_finds_an_empty_counter() {
        story.in(600, 10, 0, 60)
                .in(0, 10, 0, 60)
                .in(600, 10, 0, 60) // one capacity more, once
                .out(601, 1, 0, 59, 59);
        assertThat(story.counter.hit(NOON - 7 * YEAR, 10).admitted()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 59, 1_000, 1_021})
    void a_count_of_an_earlier_window_reads_as_zero(int windowsLater) {
        story.in(0, 10, 0, 60).in(60 * windowsLater, 10, 0, 60);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 60, 3_600, 86_400, 604_800, 2_592_000, 31_536_000, 315_360_000})
    void every_limit_fits_every_window(long windowSeconds) {
        for (long hits : new long[] {0, 1, 700_000, Quota.MAX_HITS}) {
            var counter = new OneCounter(Limit.fixedWindow(new Quota(hits, windowSeconds)));
            Evaluation all = counter.hit(NOON, Math.max(1, hits));
            assertThat(all.admitted()).isEqualTo(hits == 0 ? 0 : 1);
            assertThat(all.left()).isZero();
            assertThat(counter.hit(NOON, 1).admitted()).isZero();
        }
    }

    @Test
    void a_count_saturates_and_does_not_run_into_the_window() {
        for (int i = 0; i < 20_000; i++) {
            story.counter.hit(NOON, 1_000_000_000);
        }
        story.out(0, 1, 0, 60, 60).in(60, 1, 9, 60);
    }

    @Test
    void hits_are_only_added_where_the_window_goes_on_and_has_room() {
        story.in(0, 4, 6, 60);
        assertThat(goesOn(0, 1)).isTrue();
        assertThat(goesOn(59, 1)).isTrue();
        assertThat(goesOn(60, 1)).as("the next window").isFalse();
        assertThat(goesOn(-1, 1)).as("time stepped back").isTrue();
        assertThat(goesOn(-61, 1)).as("too far").isFalse();
        assertThat(goesOn(0, (1L << 43) - 1 - 4)).isTrue();
        assertThat(goesOn(0, (1L << 43) - 4)).as("no room").isFalse();
        assertThat(FixedWindowModel.goesOn(0, 1, MINUTE, NOON)).as("no counter").isFalse();
        assertThat(FixedWindowModel.goesOn(-5, 1, MINUTE, NOON))
                .as("no state of ours")
                .isFalse();
    }

    @Test
    void hits_that_were_added_to_a_counter_that_is_gone_are_in_no_window() {
        for (long window = 0; window < 1_024; window++) {
            assertThat(FixedWindowModel.goesOn(5, 1, MINUTE, NOON + window * MINUTE))
                    .isFalse();
        }
    }

    private boolean goesOn(long second, long hits) {
        long packed = story.counter.state() instanceof FixedWindowModel.Count(long state) ? state : 0;
        return FixedWindowModel.goesOn(packed, hits, MINUTE, NOON + second * SECOND);
    }
}
