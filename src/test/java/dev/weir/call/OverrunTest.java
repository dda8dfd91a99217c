package dev.weir.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.OverrunThread.Callers;
import dev.weir.call.OverrunThread.Costs;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the gate makes of more calls than its thread can answer, in a model of the thread. */
final class OverrunTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long PATIENCE = 15 * MILLI;

    /** A store that is the bottleneck: 125,000 calls a second without the batches' own cost. */
    private static final Costs WITH_STORE = new Costs(2_000, 1_500, 8_000, 100_000);

    /** The same at a distance: a call takes 6 ms in the mean, where 15 ms are waited for. */
    private static final Costs WITH_A_FAR_STORE = new Costs(2_000, 1_500, 8_000, 4 * MILLI);

    /** Everything on the thread: 50,000 calls a second. To turn away costs a twentieth of an answer. */
    private static final Costs ALONE = new Costs(20_000, 1_000, 0, 0);

    /** The same for large requests: 4,000 calls a second. */
    private static final Costs LARGE = new Costs(250_000, 2_000, 0, 0);

    private static final Costs HUGE = new Costs(1_000_000, 2_000, 0, 0);

    private static final long ALONE_RATE = 50_000;
    private static final Callers FOUR = new Callers(4, 600, true);
    private static final Callers FOUR_OF_LARGE = new Callers(4, 60, true);
    private static final Callers HUNDRED = new Callers(100, 600, true);
    private static final Callers HUNDRED_WITHOUT_DEADLINE = new Callers(100, 600, false);

    /** Who has a bit of time left is answered late. */
    @Test
    void where_a_round_has_few_their_deadlines_alone_end_what_is_too_old() {
        var thread = new OverrunThread(HUGE, HUNDRED, PATIENCE);
        var overload = thread.run(2_000, 2 * SECOND);
        assertThat(overload.turnedAway()).isZero();
        assertThat(overload.inTime()).isGreaterThan(2 * 900);
        assertThat(overload.late()).isLessThan(2 * 100);
    }

    /** What calls cost, who calls, and how many are answered at most: less than their cost allows, as reading costs too. */
    private static List<Arguments> threads() {
        return List.of(
                Arguments.argumentSet("with a store", WITH_STORE, FOUR, 122_000),
                Arguments.argumentSet("alone", ALONE, FOUR, ALONE_RATE),
                Arguments.argumentSet("alone, many connections", ALONE, HUNDRED, 45_000),
                Arguments.argumentSet("alone, without deadlines", ALONE, HUNDRED_WITHOUT_DEADLINE, 45_000),
                Arguments.argumentSet("large requests", LARGE, FOUR_OF_LARGE, 4_000),
                Arguments.argumentSet("large requests, many connections", LARGE, HUNDRED, 3_900),
                Arguments.argumentSet("huge requests", HUGE, FOUR_OF_LARGE, 990));
    }

    @ParameterizedTest
    @MethodSource("threads")
    void below_saturation_nobody_is_turned_away(Costs costs, Callers callers, long saturation) {
        var thread = new OverrunThread(costs, callers, PATIENCE);
        for (int tenths = 1; tenths <= 9; tenths++) {
            var account = thread.run(saturation * tenths / 10, SECOND);
            assertThat(account.turnedAway()).as("at %d0 %%", tenths).isZero();
            assertThat(account.late() + account.gone()).as("at %d0 %%", tenths).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("threads")
    void at_twice_the_saturating_rate_nine_tenths_of_it_are_answered_in_time(
            Costs costs, Callers callers, long saturation) {
        var thread = new OverrunThread(costs, callers, PATIENCE);
        thread.run(saturation / 2, SECOND);
        var first = thread.run(2 * saturation, SECOND);
        assertThat(first.inTime()).as("from the first second on").isGreaterThan(saturation * 90 / 100);
        var overload = thread.run(2 * saturation, SECOND);
        assertThat(overload.inTime()).isGreaterThan(saturation * 9 / 10);
        assertThat(overload.late()).isLessThanOrEqualTo(saturation / 1_000);
        assertThat(overload.mostQueued()).as("calls in all queues").isLessThan(saturation * 2 * 20 / 1_000);
        var fall = thread.run(saturation / 2, SECOND / 10);
        assertThat(fall.inTime()).as("a tenth of a second after the load fell").isGreaterThan(saturation * 45 / 1_000);
        var after = thread.run(saturation / 2, SECOND);
        assertThat(after.turnedAway()).isZero();
        assertThat(after.late()).isZero();
    }

    @Test
    void without_it_next_to_nothing_is() {
        var thread = new OverrunThread(ALONE, HUNDRED_WITHOUT_DEADLINE, 1_000 * SECOND);
        thread.run(2 * ALONE_RATE, SECOND);
        assertThat(thread.run(2 * ALONE_RATE, SECOND).inTime()).isLessThan(ALONE_RATE / 10);
    }

    @Test
    void a_store_that_is_far_is_not_taken_for_one_that_is_overrun() {
        var thread = new OverrunThread(WITH_A_FAR_STORE, FOUR, PATIENCE);
        thread.run(100_000, 200 * MILLI);
        thread.run(20_000, 200 * MILLI);
        var after = thread.run(20_000, SECOND);
        assertThat(after.turnedAway()).isZero();
        assertThat(after.late()).isZero();
    }

    /** Then the fastest answer of a minute is one that has waited for others. */
    @Test
    void in_an_overload_of_minutes_answers_stay_in_time() {
        var thread = new OverrunThread(WITH_STORE, FOUR, PATIENCE);
        for (int i = 0; i < 4; i++) {
            var account = thread.run(244_000, 45 * SECOND);
            assertThat(account.inTime()).isGreaterThan(45 * 122_000 * 9 / 10);
            assertThat(account.late()).isZero();
            assertThat(account.mostQueued()).as("less than 8 ms' worth").isLessThan(i == 0 ? 2_048 : 122 * 8);
        }
    }

    @Test
    void what_came_while_the_thread_stood_still_does_not_make_the_rest_late() {
        var thread = new OverrunThread(ALONE, FOUR, PATIENCE);
        thread.run(ALONE_RATE / 2, SECOND);
        thread.stall(ALONE_RATE / 2, 50 * MILLI);
        thread.run(ALONE_RATE / 2, 100 * MILLI);
        var after = thread.run(ALONE_RATE / 2, SECOND);
        assertThat(after.turnedAway()).isZero();
        assertThat(after.late()).isZero();
    }
}
