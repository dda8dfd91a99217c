package dev.weir.limit;

import static dev.weir.limit.Timeline.DAY;
import static dev.weir.limit.Timeline.HOUR;
import static dev.weir.limit.Timeline.MILLI;
import static dev.weir.limit.Timeline.MINUTE;
import static dev.weir.limit.Timeline.NOON;
import static dev.weir.limit.Timeline.SECOND;
import static dev.weir.limit.Timeline.YEAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buckets of tokens and buckets that leak: one arithmetic. */
final class BucketModelTest {
    @Test
    void a_packet_waits_for_the_tokens_it_lacks() {
        // After the lecture notes on traffic policing of Berkeley's EE122: 200 bytes a second, 500 at once. The bucket
        // is
        // full at first (RFC 2697, section 3). "If a 400 byte packet arrives when the bucket contains 200, it waits a
        // second."
        //   at ms, hits, left, reset, retry
        new Timeline(tokens(Quota.per(Unit.SECOND, 200), 500), MILLI)
                .in(0, 500, 0, 2_500)
                .out(0, 1, 0, 2_500, 5)
                .out(1_000, 400, 200, 1_500, 1_000)
                .out(1_999.999, 400, 399, 500.001, 0.001)
                .in(2_000, 400, 0, 2_500)
                .in(3_000, 200, 0, 2_500)
                .out(4_000, 501, 200, 1_500, 1_500) // never fits
                .in(60_000, 500, 0, 2_500); // a long silence fills the bucket, and no more
    }

    @Test
    void what_is_earned_of_the_next_token_is_kept_to_the_last_part() {
        // Three a second: a token every 333,333 and a third microseconds.
        new Timeline(tokens(Quota.per(Unit.SECOND, 3), 3), MILLI)
                .in(0, 3, 0, 1_000)
                .out(333.333, 1, 0, 666.667, 0.001)
                .in(333.334, 1, 0, 1_000) // two thirds of a microsecond late, and they are not lost:
                .out(666.666, 1, 0, 666.668, 0.001)
                .in(666.667, 1, 0, 1_000)
                .in(1_000, 1, 0, 1_000);
    }

    @Test
    void asking_often_neither_wins_nor_loses_anything() {
        Limit limit = tokens(Quota.per(Unit.SECOND, 7), 7);
        var asked = new OneCounter(limit);
        var silent = new OneCounter(limit);
        asked.hit(NOON, 7);
        silent.hit(NOON, 7);
        for (long at = NOON; at < NOON + SECOND; at += 1_009) {
            asked.look(at);
            asked.hit(at, 7); // refused
            asked.refund(at, 0);
        }
        assertThat(asked.hit(NOON + SECOND - 1, 6)).isEqualTo(silent.hit(NOON + SECOND - 1, 6));
        assertThat(asked.hit(NOON + SECOND, 1)).isEqualTo(silent.hit(NOON + SECOND, 1));
        assertThat(asked.state()).isEqualTo(silent.state());
    }

    @Test
    void costs_known_afterwards_take_what_is_left() {
        Quota quota = Quota.per(Unit.SECOND, 10);
        new Timeline(new Limit(quota, new Algorithm.TokenBucket(20), Charge.DRAIN, 0), MILLI)
                .in(0, 15, 5, 1_500)
                .out(0, 8, 5, 2_000, 800) // takes five, and eight will be there in 800 ms
                .out(0, 0, 0, 2_000, 100)
                .out(0, 21, 0, 2_000, 2_000)
                .in(100, 0, 1, 1_900);
    }

    @Test
    void a_look_changes_nothing() {
        var story = new Timeline(tokens(Quota.per(Unit.SECOND, 10), 10), MILLI).in(0, 0, 10, 0);
        assertThat(story.counter.state()).isNull();
        story.in(0, 10, 0, 1_000);
        State empty = story.counter.state();
        story.in(0, 0, 0, 1_000).in(550, 0, 5, 450).in(5_000, 0, 10, 0);
        assertThat(story.counter.state()).isSameAs(empty);
    }

    @Test
    void a_refund_fills_the_bucket_no_higher_than_it_is() {
        var story = new Timeline(tokens(Quota.per(Unit.SECOND, 10), 10), MILLI).back(0, 5, 10, 0);
        assertThat(story.counter.state()).isNull();
        story.in(0, 10, 0, 1_000).back(50, 4, 4, 550).in(100, 5, 0, 1_000).back(100, 100, 10, 0);
        assertThat(story.counter.state()).isNull();
        story.in(100, 10, 0, 1_000);
    }

    @Test
    void of_a_full_bucket_nothing_is_earned_in_advance() {
        Limit limit = tokens(Quota.per(Unit.SECOND, 10), 10);
        var counter = new OneCounter(limit);
        counter.hit(NOON, 5);
        // One plan gives all back and takes one: half of the next token was earned by then, and no bucket holds it.
        Model model = Model.at(counter.state(), limit, NOON + 50 * MILLI);
        model.give(5);
        model.take(1);
        assertThat(model.resetMicros()).isEqualTo(100 * MILLI);
    }

    @Test
    void what_was_charged_is_given_back_less_what_has_been_earned_since() {
        Limit limit = tokens(Quota.per(Unit.SECOND, 10), 10);
        //   ms later -> left after six of ten are given back
        for (long[] row :
                new long[][] {{0, 6}, {1, 6}, {100, 6}, {101, 6}, {250, 6}, {600, 6}, {700, 7}, {9_000, 10}}) {
            var counter = new OneCounter(limit);
            counter.hit(NOON, 4);
            Evaluation charged = counter.hit(NOON, 6);
            long later = NOON + row[0] * MILLI;
            assertThat(counter.giveBack(later, 6, charged.at()).left())
                    .as("%d ms later", row[0])
                    .isEqualTo(row[1]);
        }
    }

    @Test
    void to_the_fraction_of_a_hit() {
        Limit limit = tokens(Quota.per(Unit.SECOND, 10), 10);
        var counter = new OneCounter(limit);
        for (long i = 0; i < 100; i++) { // each is given back 3 ms later, and 3 ms after that comes the next
            long now = NOON + 6 * i * MILLI;
            Evaluation charged = counter.hit(now, 1);
            assertThat(charged.left()).isEqualTo(9);
            assertThat(counter.giveBack(now + 3 * MILLI, 1, charged.at()).left())
                    .isEqualTo(10);
        }
        assertThat(counter.state()).isNull();
    }

    @Test
    void also_where_others_have_taken_some_meanwhile() {
        Limit limit = tokens(Quota.per(Unit.SECOND, 10), 10);
        var counter = new OneCounter(limit);
        Evaluation charged = counter.hit(NOON, 3);
        counter.hit(NOON + 20 * MILLI, 5);
        // Of eight 0.7 were earned back; of three 2.3 are given back, which leaves five.
        Evaluation after = counter.giveBack(NOON + 70 * MILLI, 3, charged.at());
        assertThat(after.left()).isEqualTo(5);
        assertThat(after.resetMicros()).isEqualTo(500 * MILLI);
        // Of one that was charged a moment before 0.85 are given back; 0.15 of the five were earned meanwhile.
        Evaluation one = counter.hit(NOON + 70 * MILLI, 1);
        assertThat(counter.giveBack(NOON + 85 * MILLI, 1, one.at()).resetMicros())
                .isEqualTo(500 * MILLI);
        assertThat(counter.giveBack(NOON + 85 * MILLI, 0, one.at()).resetMicros())
                .isEqualTo(500 * MILLI);
    }

    @Test
    void a_refusal_elsewhere_never_makes_more_than_a_whole_bucket() {
        Limit limit = tokens(Quota.per(Unit.SECOND, 10), 10);
        var counter = new OneCounter(limit);
        Evaluation charged = counter.hit(NOON, 10);
        long later = NOON + 500 * MILLI;
        counter.hit(later, 5); // what was earned since is spent
        assertThat(counter.giveBack(later, 10, charged.at()).left()).isEqualTo(5);
        assertThat(counter.giveBack(NOON + HOUR, 10, charged.at()).left()).isEqualTo(10);
    }

    @Test
    void overrides_alternate_on_one_level() {
        Limit ten = tokens(Quota.per(Unit.SECOND, 10), 10);
        Limit four = tokens(Quota.per(Unit.SECOND, 4), 4);
        Limit none = tokens(Quota.per(Unit.SECOND, 0), 4);
        new Timeline(ten, MILLI)
                .in(0, 8, 2, 800)
                .under(four)
                .out(0, 1, 0, 2_000, 1_250) // of eight, five must be earned at four a second
                .out(0, 0, 0, 2_000, 1_000) // over what this limit holds
                .under(ten)
                .in(500, 5, 2, 800)
                .under(none)
                .out(500, 0, 0, 1_000, 1_000)
                .out(9_000, 1, 0, 1_000, 1_000)
                .under(ten)
                .in(700, 0, 4, 600); // time that passed for the limit of zero passed for this one, too
    }

    @Test
    void a_limit_of_zero_admits_looks_and_nothing_else() {
        var story = new Timeline(tokens(Quota.per(Unit.MINUTE, 0), 5), SECOND)
                .in(0, 0, 0, 0)
                .out(0, 1, 0, 0, 60);
        assertThat(story.counter.state()).isNull();
    }

    @Test
    void one_a_year() {
        var counter = new OneCounter(tokens(Quota.per(Unit.YEAR, 1), 1));
        assertThat(counter.hit(NOON, 1).resetMicros()).isEqualTo(YEAR);
        assertThat(counter.hit(NOON + DAY, 1).retryMicros()).isEqualTo(YEAR - DAY);
        assertThat(counter.hit(NOON + YEAR - 1, 1).admitted()).isZero();
        assertThat(counter.hit(NOON + YEAR, 1).admitted()).isEqualTo(1);
    }

    @Test
    void seven_hundred_thousand_a_second_are_not_a_million_and_not_half_a_million() {
        var counter = new OneCounter(tokens(Quota.per(Unit.SECOND, 700_000), 2));
        long admitted = 0;
        for (long at = NOON; at < NOON + SECOND / 10; at++) {
            admitted += counter.hit(at, 1).admitted();
        }
        assertThat(admitted).isEqualTo(70_001); // the second of the full bucket is the one more
    }

    @Test
    void the_largest_limit_a_day_is_earned_back_by_the_microsecond() {
        var counter = new OneCounter(tokens(Quota.per(Unit.DAY, Quota.MAX_HITS), Quota.MAX_HITS));
        assertThat(counter.hit(NOON, Quota.MAX_HITS).resetMicros()).isEqualTo(DAY);
        assertThat(counter.hit(NOON, 1).retryMicros()).isEqualTo(21); // 86,400 s / 4,294,967,295 = 20.1 us
        assertThat(counter.left(NOON + 20)).isZero();
        assertThat(counter.left(NOON + 21)).isEqualTo(1);
        assertThat(counter.left(NOON + DAY / 2)).isEqualTo(Quota.MAX_HITS / 2);
        assertThat(counter.left(NOON + DAY - 1)).isEqualTo(Quota.MAX_HITS - 1);
        assertThat(counter.left(NOON + DAY)).isEqualTo(Quota.MAX_HITS);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 60, 86_400, 31_536_000, 315_360_000})
    void the_largest_burst_of_a_window_is_earned_back_exactly(long windowSeconds) {
        for (long hits : new long[] {1, 2, 3, 999_983, Quota.MAX_HITS}) {
            Quota quota = new Quota(hits, windowSeconds);
            long burst = Algorithm.largestBurst(quota);
            assertThat(burst).isGreaterThanOrEqualTo(hits);
            var counter = new OneCounter(tokens(quota, burst));
            Evaluation all = counter.hit(NOON, burst);
            assertThat(all.left()).isZero();
            assertThat(counter.left(NOON + all.resetMicros() - 1)).isLessThan(burst);
            assertThat(counter.left(NOON + all.resetMicros())).isEqualTo(burst);
            if (burst < Quota.MAX_HITS) {
                assertThatThrownBy(() -> tokens(quota, burst + 1)).hasMessageContaining("too large");
            }
        }
    }

    @Test
    void time_that_steps_back_stands_still_for_a_window_and_no_longer() {
        for (Algorithm algorithm : List.of(new Algorithm.TokenBucket(20), new Algorithm.LeakyBucket(20))) {
            Limit limit = Limit.of(Quota.per(Unit.MINUTE, 10), algorithm);
            for (long back : new long[] {1, 5 * SECOND, MINUTE}) {
                var counter = new OneCounter(limit);
                counter.hit(NOON, 18);
                Evaluation refused = counter.hit(NOON - back, 4);
                assertThat(refused.admitted()).as("%d us back", back).isZero();
                assertThat(refused.at()).isEqualTo(NOON);
                assertThat(refused.left()).isEqualTo(2);
                assertThat(refused.retryMicros()).isEqualTo(back + 12 * SECOND);
                assertThat(refused.resetMicros()).isEqualTo(back + 108 * SECOND);
            }
            for (long back : new long[] {MINUTE + 1, HOUR, 7 * YEAR}) {
                var counter = new OneCounter(limit);
                counter.hit(NOON, 20);
                assertThat(counter.hit(NOON - back, 20).left())
                        .as("%d us back", back)
                        .isZero();
                assertThat(counter.hit(NOON - back, 1).retryMicros()).isEqualTo(6 * SECOND);
            }
        }
    }

    private static Limit tokens(Quota quota, long burst) {
        return Limit.of(quota, new Algorithm.TokenBucket(burst));
    }
}
