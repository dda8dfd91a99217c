package dev.weir.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ten hits a minute, counted from the full minute on. */
final class FixedWindowModelTest {
    private static final Quota TEN_A_MINUTE = Quota.per(Unit.MINUTE, 10);
    private static final long MINUTE = 60_000_000;
    private static final long SECOND = 1_000_000;
    private static final long NOON = 1_763_726_400 * SECOND;

    private long state;

    @Test
    void counts_up_to_the_limit_and_starts_again_with_the_window() {
        //  at s, hits -> admitted, left, seconds to the end
        check(0, 1, true, 9, 60);
        check(1, 8, true, 1, 59);
        check(2, 2, false, 1, 58); // crosses the limit: refused as a whole, yet counted
        check(3, 1, false, 0, 57);
        check(59, 1, false, 0, 1);
        check(60, 1, true, 9, 60); // the next window
        check(240, 10, true, 0, 60); // windows in between were empty
    }

    @Test
    void a_look_changes_nothing_and_passes_while_the_limit_is_not_crossed() {
        check(0, 0, true, 10, 60);
        assertThat(state).isZero();
        check(0, 10, true, 0, 60);
        check(0, 0, true, 0, 60); // exactly used up is not over
        check(0, 1, false, 0, 60);
        check(0, 0, false, 0, 60);
    }

    @Test
    void a_limit_of_zero_refuses_every_hit_but_not_a_look_at_an_untouched_counter() {
        Quota none = Quota.per(Unit.MINUTE, 0);
        assertThat(FixedWindowModel.evaluate(0, none, 0, 1, NOON).admitted()).isEqualTo(1);
        Evaluation refused = FixedWindowModel.evaluate(0, none, 1, 1, NOON);
        assertThat(refused.admitted()).isZero();
        assertThat(FixedWindowModel.evaluate(refused.state(), none, 0, 1, NOON).admitted())
                .isZero();
    }

    @Test
    void a_refund_sinks_the_count_but_never_below_zero_and_creates_nothing() {
        assertThat(FixedWindowModel.refund(0, TEN_A_MINUTE, 5, NOON).state()).isZero();
        check(0, 7, true, 3, 60);
        refund(1, 2, 5);
        refund(2, 100, 10);
        check(3, 10, true, 0, 57);
        refund(63, 4, 10); // the window of the hits is over: nothing to give back
        check(63, 10, true, 0, 57);
    }

    @Test
    void an_override_with_another_limit_shares_the_count() {
        check(0, 6, true, 4, 60);
        Evaluation tight = FixedWindowModel.evaluate(state, Quota.per(Unit.MINUTE, 5), 1, 1, NOON);
        assertThat(tight.admitted()).isZero();
        state = tight.state();
        check(0, 1, true, 2, 60); // 6 + 1 + 1 of 10
    }

    @Test
    void time_that_steps_back_over_a_boundary_keeps_the_count() {
        check(60, 10, true, 0, 60);
        check(59, 1, false, 0, 61); // still the window that began later
        check(61, 1, false, 0, 59);
    }

    @Test
    void time_that_steps_back_further_finds_an_empty_counter() {
        check(600, 10, true, 0, 60);
        check(0, 10, true, 0, 60);
        check(600, 10, true, 0, 60);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 60, 3_600, 86_400, 604_800, 2_592_000, 31_536_000, 315_360_000})
    void every_limit_fits_every_window(long windowSeconds) {
        for (long hits : new long[] {0, 1, 700_000, Quota.MAX_HITS}) {
            Quota quota = new Quota(hits, windowSeconds);
            Evaluation all = FixedWindowModel.evaluate(0, quota, Math.max(1, hits), 1, NOON);
            assertThat(all.admitted()).isEqualTo(hits == 0 ? 0 : 1);
            assertThat(all.left()).isZero();
            assertThat(FixedWindowModel.evaluate(all.state(), quota, 1, 1, NOON).admitted())
                    .isZero();
        }
    }

    @Test
    void a_count_saturates_and_does_not_run_into_the_window() {
        long saturated = 0;
        for (int i = 0; i < 20_000; i++) {
            saturated = FixedWindowModel.evaluate(saturated, TEN_A_MINUTE, 1_000_000_000, 1, NOON)
                    .state();
        }
        assertThat(FixedWindowModel.evaluate(saturated, TEN_A_MINUTE, 1, 1, NOON)
                        .admitted())
                .isZero();
        assertThat(FixedWindowModel.evaluate(saturated, TEN_A_MINUTE, 1, 1, NOON + MINUTE)
                        .admitted())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void n_equal_checks_at_once_are_n_checks_one_after_the_other(long seed) {
        var random = new SplittableRandom(seed);
        long now = NOON;
        long single = 0;
        long merged = 0;
        for (int step = 0; step < 5_000; step++) {
            now += random.nextLong(MINUTE / 4);
            Quota quota = Quota.per(Unit.MINUTE, random.nextLong(40));
            long hits = random.nextLong(5);
            int times = 1 + random.nextInt(9);
            long admitted = 0;
            long left = 0;
            for (int i = 0; i < times; i++) {
                Evaluation one = FixedWindowModel.evaluate(single, quota, hits, 1, now);
                admitted += one.admitted();
                left = one.admitted() == 1 || i == 0 ? one.left() : left;
                single = one.state();
            }
            Evaluation all = FixedWindowModel.evaluate(merged, quota, hits, times, now);
            merged = all.state();
            assertThat(all.admitted()).as("seed %d, step %d", seed, step).isEqualTo(admitted);
            assertThat(all.left()).as("seed %d, step %d", seed, step).isEqualTo(left);
            assertThat(merged).as("seed %d, step %d", seed, step).isEqualTo(single);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void no_window_admits_more_than_the_limit(long seed) {
        var random = new SplittableRandom(seed);
        long now = NOON;
        long counter = 0;
        long window = -1;
        long admitted = 0;
        for (int step = 0; step < 10_000; step++) {
            now += random.nextLong(MINUTE / 8);
            if (now / MINUTE != window) {
                window = now / MINUTE;
                admitted = 0;
            }
            long hits = 1 + random.nextLong(4);
            Evaluation answer = FixedWindowModel.evaluate(counter, TEN_A_MINUTE, hits, 1, now);
            counter = answer.state();
            admitted += answer.admitted() * hits;
            assertThat(admitted).as("seed %d, step %d", seed, step).isLessThanOrEqualTo(10);
        }
    }

    private void check(long atSeconds, long hits, boolean admitted, long left, long secondsToEnd) {
        Evaluation answer = FixedWindowModel.evaluate(state, TEN_A_MINUTE, hits, 1, NOON + atSeconds * SECOND);
        assertThat(answer.admitted()).as("admitted at %d s", atSeconds).isEqualTo(admitted ? 1 : 0);
        assertThat(answer.left()).as("left at %d s", atSeconds).isEqualTo(left);
        assertThat(answer.resetMicros()).as("end at %d s", atSeconds).isEqualTo(secondsToEnd * SECOND);
        state = answer.state();
    }

    private void refund(long atSeconds, long hits, long left) {
        Evaluation answer = FixedWindowModel.refund(state, TEN_A_MINUTE, hits, NOON + atSeconds * SECOND);
        assertThat(answer.admitted()).isEqualTo(1);
        assertThat(answer.left()).as("left at %d s", atSeconds).isEqualTo(left);
        state = answer.state();
    }
}
