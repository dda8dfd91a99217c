package dev.weir.limit;

import static dev.weir.limit.Timeline.DAY;
import static dev.weir.limit.Timeline.HOUR;
import static dev.weir.limit.Timeline.MINUTE;
import static dev.weir.limit.Timeline.NOON;
import static dev.weir.limit.Timeline.SECOND;
import static dev.weir.limit.Timeline.YEAR;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two counters that weigh the last window, and windows cut finer. Seconds from a full minute on. */
final class SlidingWindowModelTest {
    private static final Algorithm TWO_COUNTERS = new Algorithm.SlidingWindow(1);
    private static final Algorithm SIXTHS = new Algorithm.SlidingWindow(6);
    private static final Limit TEN_A_MINUTE = Limit.of(Quota.per(Unit.MINUTE, 10), TWO_COUNTERS);

    private final Timeline story = new Timeline(TEN_A_MINUTE, SECOND);

    @Test
    void weighs_the_last_window_by_how_much_of_it_is_in_view() {
        // The example at the head of the model: 12 + 86 * 45/60 = 76.5 of 100.
        //   at s, hits, left, reset, retry
        story.under(hundredAMinute()).in(-30, 86, 14, 90).in(15, 12, 23, 105).in(15, 23, 0, 105);
    }

    @Test
    void weighs_as_cloudflare_does() {
        // "How we built rate limiting capable of scaling to millions of domains" (blog.cloudflare.com, 2017): 50 a
        // minute,
        // 42 in the whole last minute, 18 in this one, which began 15 s ago: 42 * 45/60 + 18 = 49.5.
        story.under(Limit.of(Quota.per(Unit.MINUTE, 50), TWO_COUNTERS))
                .in(-59, 42, 8, 119)
                .in(15, 18, 0, 105)
                .out(15, 1, 0, 105, 0.714286) // 42 * (44.285714/60) + 18 = 49
                .out(15.714285, 1, 0, 104.285715, 0.000001)
                .in(15.714286, 1, 0, 104.285714);
    }

    @Test
    void a_boundary_admits_no_second_quota() {
        story.in(59, 10, 0, 61)
                .out(60, 1, 0, 60, 6) // all ten still weigh; each tenth of the minute frees one
                .in(66, 1, 0, 114)
                .out(66, 5, 0, 114, 30)
                .in(96, 5, 0, 84)
                .in(120, 4, 0, 120) // the six of this minute all weigh now
                .in(180, 0, 6, 60)
                .in(240, 0, 10, 0);
    }

    @Test
    void refused_hits_cost_nothing_unless_they_are_charged_in_any_case() {
        story.in(0, 8, 2, 120).out(1, 3, 2, 119, 66.5).in(1, 2, 0, 119);
        new Timeline(new Limit(TEN_A_MINUTE.quota(), TWO_COUNTERS, Charge.ALWAYS, 0), SECOND)
                .in(0, 8, 2, 120)
                .out(1, 3, 2, 119, 80.818182) // eleven counted; seven of them weigh 21.8 s after the minute
                .out(2, 0, 0, 118, 63.454546) // not even a look: ten weigh 5.45 s after the minute
                .out(65.454545, 0, 0, 54.545455, 0.000001)
                .in(65.454546, 0, 0, 54.545454);
    }

    @Test
    void costs_known_afterwards_take_what_is_left() {
        story.under(new Limit(TEN_A_MINUTE.quota(), TWO_COUNTERS, Charge.DRAIN, 0))
                .in(0, 7, 3, 120)
                .out(1, 5, 3, 119, 89) // takes three; five are free half a minute after the next one began
                .out(2, 0, 0, 118, 64)
                .in(66, 0, 1, 54);
    }

    @Test
    void a_look_changes_nothing() {
        story.in(0, 0, 10, 0);
        assertThat(story.counter.state()).isNull();
        story.in(0, 10, 0, 120);
        State full = story.counter.state();
        story.in(1, 0, 0, 119).in(90, 0, 5, 30).in(3_600, 0, 10, 0);
        assertThat(story.counter.state()).isSameAs(full);
    }

    @Test
    void a_refund_takes_the_newest_first_and_lifts_no_higher_than_the_limit() {
        story.back(0, 5, 10, 0);
        assertThat(story.counter.state()).isNull();
        story.in(0, 8, 2, 120)
                .in(90, 6, 0, 90) // four of the eight still weigh
                .back(90, 1, 1, 90)
                .back(90, 7, 7, 30) // the five of this minute, and two of the last: six of it weigh a half
                .back(90, 100, 10, 0);
        assertThat(story.counter.state()).isNull();
    }

    @Test
    void what_was_charged_is_given_back_where_it_was_counted() {
        Evaluation first = story.counter.hit(NOON, 6);
        Evaluation second = story.counter.hit(NOON + 90 * SECOND, 7);
        assertThat(story.counter.giveBack(NOON + 90 * SECOND, 6, first.at()).left())
                .isEqualTo(3); // the seven of this minute stay
        assertThat(story.counter.giveBack(NOON + 121 * SECOND, 100, second.at()).left())
                .isEqualTo(10);
        Evaluation third = story.counter.hit(NOON + 122 * SECOND, 9);
        long later = NOON + 4 * MINUTE + SECOND;
        story.counter.hit(later, 9);
        assertThat(story.counter.giveBack(later, 9, third.at()).left()).isEqualTo(1);
    }

    @Test
    void overrides_alternate_on_one_count() {
        Limit five = Limit.of(Quota.per(Unit.MINUTE, 5), TWO_COUNTERS);
        story.in(0, 6, 4, 120)
                .under(five)
                .out(0, 1, 0, 120, 80) // 6 * 40/60 = 4
                .out(0, 0, 0, 120, 70) // over what this limit allows
                .under(TEN_A_MINUTE)
                .in(0, 4, 0, 120)
                .under(five)
                .in(90, 0, 0, 30)
                .in(96, 1, 0, 84);
    }

    @Test
    void a_limit_of_zero_admits_looks_and_nothing_else() {
        story.under(Limit.of(Quota.per(Unit.MINUTE, 0), TWO_COUNTERS))
                .in(0, 0, 0, 0)
                .out(0, 1, 0, 0, 60);
        assertThat(story.counter.state()).isNull();
    }

    @Test
    void hits_above_the_limit_are_told_when_the_counter_is_empty() {
        story.out(0, 11, 10, 0, 60).in(1, 1, 9, 119).out(2, 11, 9, 118, 118);
    }

    @Test
    void one_a_year() {
        Limit one = Limit.of(Quota.per(Unit.YEAR, 1), TWO_COUNTERS);
        long begin = Math.ceilDiv(NOON, YEAR) * YEAR;
        var counter = new OneCounter(one);
        assertThat(counter.hit(begin + YEAR - 1, 1).resetMicros()).isEqualTo(YEAR + 1);
        assertThat(counter.hit(begin + YEAR, 1).retryMicros()).isEqualTo(YEAR);
        assertThat(counter.hit(begin + 2 * YEAR - 1, 1).admitted()).isZero();
        assertThat(counter.hit(begin + 2 * YEAR, 1).admitted()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {700_000, Quota.MAX_HITS})
    void large_limits_are_not_rounded(long hits) {
        Quota quota = Quota.per(hits == 700_000 ? Unit.SECOND : Unit.DAY, hits);
        long window = quota.windowMicros();
        var counter = new OneCounter(Limit.of(quota, TWO_COUNTERS));
        assertThat(counter.hit(NOON, hits).left()).isZero();
        long half = NOON + window + window / 2;
        assertThat(counter.left(half)).isEqualTo(hits / 2);
        assertThat(counter.hit(half, hits / 2).admitted()).isEqualTo(1);
        assertThat(counter.left(half)).isZero();
    }

    @Test
    void a_window_in_six_parts_weighs_its_oldest_part_only() {
        story.under(Limit.of(Quota.per(Unit.MINUTE, 60), SIXTHS))
                .in(1, 10, 50, 69)
                .in(11, 20, 30, 69)
                .in(59, 30, 0, 61)
                .out(60, 1, 0, 60, 1) // the ten of the first part leave in the next ten seconds
                .in(65, 0, 5, 55)
                .out(65, 10, 5, 55, 5)
                .in(70, 10, 0, 70)
                .in(80, 0, 20, 60)
                .in(119, 0, 47, 21) // three of the thirty, and ten
                .in(120, 0, 50, 20)
                .in(140, 0, 60, 0);
    }

    @Test
    void a_check_waits_for_as_many_parts_as_must_leave() {
        story.under(Limit.of(Quota.per(Unit.MINUTE, 12), SIXTHS))
                .in(0, 4, 8, 70)
                .in(20, 4, 4, 70)
                .in(40, 4, 0, 70)
                .out(45, 4, 0, 65, 25) // the first part is gone at 70 s
                .out(45, 6, 0, 65, 40) // and half of the third at 85 s
                .out(45, 12, 0, 65, 65)
                .in(85, 6, 0, 65)
                .in(150, 12, 0, 70);
    }

    @Test
    void a_client_that_knows_the_clock_gets_less_than_twice_the_limit() {
        // Worst for the window: a full quota at the last moment of a part, and again when that part has moved out.
        story.under(hundredAMinute()).in(59.999999, 100, 0, 60.000001).in(119.999999, 99, 0, 60.000001);
        new Timeline(Limit.of(Quota.per(Unit.MINUTE, 100), SIXTHS), SECOND)
                .in(9.999999, 100, 0, 60.000001)
                .in(69.999999, 99, 0, 60.000001)
                .out(69.999999, 1, 0, 60.000001, 0.000001);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 6})
    void time_that_steps_back_stands_still_for_a_window_and_no_longer(int parts) {
        Limit limit = Limit.of(Quota.per(Unit.MINUTE, 10), new Algorithm.SlidingWindow(parts));
        long noon = NOON + DAY;
        long part = MINUTE / parts;
        for (long back : new long[] {1, 5 * SECOND, MINUTE - part, MINUTE}) {
            var counter = new OneCounter(limit);
            assertThat(counter.hit(noon, 10).admitted()).isEqualTo(1);
            Evaluation refused = counter.hit(noon - back, 1);
            assertThat(refused.admitted()).as("%d us back", back).isZero();
            assertThat(refused.at()).isEqualTo(noon);
            assertThat(counter.wouldAdmit(noon - back + refused.retryMicros(), 1))
                    .isTrue();
            assertThat(refused.resetMicros()).isEqualTo(MINUTE + part + back);
        }
        for (long back : new long[] {MINUTE + 1, HOUR, 7 * YEAR}) {
            var counter = new OneCounter(limit);
            assertThat(counter.hit(noon, 10).admitted()).isEqualTo(1);
            assertThat(counter.hit(noon - back, 10).admitted())
                    .as("%d us back", back)
                    .isEqualTo(1);
            assertThat(counter.left(noon - back)).isZero();
            assertThat(counter.hit(noon - back + 2 * MINUTE, 10).admitted()).isEqualTo(1);
        }
    }

    private static Limit hundredAMinute() {
        return Limit.of(Quota.per(Unit.MINUTE, 100), TWO_COUNTERS);
    }
}
