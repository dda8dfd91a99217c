package dev.weir.limit;

import static dev.weir.limit.Timeline.DAY;
import static dev.weir.limit.Timeline.HOUR;
import static dev.weir.limit.Timeline.MINUTE;
import static dev.weir.limit.Timeline.NOON;
import static dev.weir.limit.Timeline.SECOND;
import static dev.weir.limit.Timeline.YEAR;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every admitted hit counts for exactly one minute. Seconds from noon on. */
final class SlidingLogModelTest {
    private static final Algorithm LOG = new Algorithm.SlidingLog();
    private static final Limit TEN_A_MINUTE = Limit.of(Quota.per(Unit.MINUTE, 10), LOG);

    private final Timeline story = new Timeline(TEN_A_MINUTE, SECOND);

    @Test
    void a_hit_counts_for_exactly_one_window() {
        //   at s, hits, left, reset, retry
        story.under(Limit.of(Quota.per(Unit.MINUTE, 2), LOG))
                .in(1, 1, 1, 60)
                .in(30, 1, 0, 60)
                .out(50, 1, 0, 40, 11)
                .out(60.999999, 1, 0, 29.000001, 0.000001)
                .in(61, 1, 0, 60) // the first hit left at this very instant
                .out(61, 1, 0, 60, 29)
                .in(100, 1, 0, 60)
                .in(160, 2, 0, 60);
    }

    @Test
    void a_check_waits_until_enough_of_the_oldest_have_left() {
        story.in(0, 3, 7, 60)
                .in(10, 3, 4, 60)
                .in(20, 4, 0, 60)
                .out(25, 1, 0, 55, 35)
                .out(25, 3, 0, 55, 35)
                .out(25, 4, 0, 55, 45) // one of the second check's hits must leave, so all of them
                .out(25, 7, 0, 55, 55)
                .out(25, 10, 0, 55, 55)
                .in(70, 4, 2, 60)
                .in(130, 10, 0, 60);
    }

    @Test
    void what_does_not_fit_leaves_no_trace() {
        story.in(0, 8, 2, 60);
        State eight = story.counter.state();
        story.out(1, 3, 2, 59, 59).out(2, 11, 2, 58, 58);
        assertThat(story.counter.state()).isSameAs(eight);
        story.in(3, 2, 0, 60);
    }

    @Test
    void costs_known_afterwards_take_what_is_left() {
        story.under(new Limit(TEN_A_MINUTE.quota(), LOG, Charge.DRAIN, 0))
                .in(0, 7, 3, 60)
                .out(1, 5, 3, 60, 59) // takes three
                .out(2, 0, 0, 59, 58) // for these, nothing left is over
                .out(2, 8, 0, 59, 59)
                .in(60, 0, 7, 1)
                .in(61, 10, 0, 60);
    }

    @Test
    void a_look_changes_nothing() {
        story.in(0, 0, 10, 0);
        assertThat(story.counter.state()).isNull();
        story.in(0, 10, 0, 60);
        State full = story.counter.state();
        story.in(59, 0, 0, 1).in(60, 0, 10, 0);
        assertThat(story.counter.state()).isSameAs(full);
    }

    @Test
    void a_refund_takes_the_newest_first_and_creates_nothing() {
        story.back(0, 5, 10, 0);
        assertThat(story.counter.state()).isNull();
        story.in(0, 4, 6, 60)
                .in(10, 4, 2, 60)
                .in(20, 2, 0, 60)
                .back(30, 3, 3, 40) // the two of 20 s, and one of those of 10 s
                .in(60, 0, 7, 10)
                .back(60, 2, 9, 10)
                .back(61, 100, 10, 0);
        assertThat(story.counter.state()).isNull();
    }

    @Test
    void what_was_charged_is_given_back_where_it_stands_in_the_log() {
        var counter = story.counter;
        counter.hit(NOON, 2);
        Evaluation charged = counter.hit(NOON + 10 * SECOND, 3);
        counter.hit(NOON + 10 * SECOND, 1);
        counter.hit(NOON + 20 * SECOND, 4);
        assertThat(counter.giveBack(NOON + 30 * SECOND, 3, charged.at()).left()).isEqualTo(3);
        assertThat(counter.left(NOON + 60 * SECOND)).isEqualTo(5); // the first two are gone
        assertThat(counter.left(NOON + 70 * SECOND)).isEqualTo(6); // the one that stood beside the three, too
        assertThat(counter.left(NOON + 80 * SECOND)).isEqualTo(10);
        assertThat(counter.giveBack(NOON + 71 * SECOND, 3, charged.at()).left()).isEqualTo(6);
        assertThat(counter.giveBack(NOON + 71 * SECOND, 3, charged.at() + 1).left())
                .isEqualTo(6); // nothing was charged then
        assertThat(counter.giveBack(NOON + 71 * SECOND, 9, NOON + 20 * SECOND).left())
                .isEqualTo(10);
        assertThat(counter.state()).isNull();
    }

    @Test
    void what_has_left_at_a_refund_is_gone_though_time_steps_back() {
        story.in(0, 1, 9, 60)
                .in(20, 2, 7, 60)
                .in(50, 3, 4, 60)
                .back(70, 3, 8, 10) // the one of 0 s has left
                .in(40, 0, 8, 40);
    }

    @Test
    void a_refund_of_what_was_never_charged_leaves_the_log_as_it_is() {
        story.in(0, 1, 9, 60).in(50, 3, 6, 60);
        State four = story.counter.state();
        story.counter.giveBack(NOON + 70 * SECOND, 3, NOON + 49 * SECOND);
        assertThat(story.counter.state()).isSameAs(four);
    }

    @Test
    void overrides_alternate_on_one_log() {
        Limit five = Limit.of(Quota.per(Unit.MINUTE, 5), LOG);
        story.in(0, 3, 7, 60)
                .in(10, 3, 4, 60)
                .under(five)
                .out(20, 1, 0, 50, 40)
                .out(20, 0, 0, 50, 40) // more than this limit allows
                .under(TEN_A_MINUTE)
                .in(20, 4, 0, 60)
                .under(five)
                .in(70, 1, 0, 60)
                .out(70, 6, 0, 60, 60);
    }

    @Test
    void a_limit_of_zero_admits_looks_and_nothing_else() {
        story.under(Limit.of(Quota.per(Unit.MINUTE, 0), LOG)).in(0, 0, 0, 0).out(0, 1, 0, 0, 60);
        assertThat(story.counter.state()).isNull();
    }

    @Test
    void one_a_year() {
        var counter = new OneCounter(Limit.of(Quota.per(Unit.YEAR, 1), LOG));
        assertThat(counter.hit(NOON, 1).resetMicros()).isEqualTo(YEAR);
        assertThat(counter.hit(NOON + DAY, 1).retryMicros()).isEqualTo(YEAR - DAY);
        assertThat(counter.hit(NOON + YEAR - 1, 1).admitted()).isZero();
        assertThat(counter.hit(NOON + YEAR, 1).admitted()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {700_000, Quota.MAX_HITS})
    void large_limits_are_not_rounded(long hits) {
        Quota quota = Quota.per(hits == 700_000 ? Unit.SECOND : Unit.DAY, hits);
        var counter = new OneCounter(Limit.of(quota, LOG));
        assertThat(counter.hit(NOON, hits - 1).left()).isEqualTo(1);
        assertThat(counter.hit(NOON + 1, 1).left()).isZero();
        assertThat(counter.left(NOON + quota.windowMicros() - 1)).isZero();
        assertThat(counter.left(NOON + quota.windowMicros())).isEqualTo(hits - 1);
        assertThat(counter.left(NOON + quota.windowMicros() + 1)).isEqualTo(hits);
    }

    @Test
    void time_that_steps_back_stands_still_for_a_window_and_no_longer() {
        for (long back : new long[] {1, 5 * SECOND, MINUTE}) {
            var counter = new OneCounter(TEN_A_MINUTE);
            counter.hit(NOON - MINUTE + 2, 4);
            counter.hit(NOON, 6);
            Evaluation refused = counter.hit(NOON - back, 4);
            assertThat(refused.admitted()).as("%d us back", back).isZero();
            assertThat(refused.at()).isEqualTo(NOON);
            assertThat(refused.retryMicros()).isEqualTo(back + 2);
            assertThat(refused.resetMicros()).isEqualTo(back + MINUTE);
        }
        for (long back : new long[] {MINUTE + 1, HOUR, 7 * YEAR}) {
            var counter = new OneCounter(TEN_A_MINUTE);
            counter.hit(NOON, 10);
            assertThat(counter.hit(NOON - back, 10).left())
                    .as("%d us back", back)
                    .isZero();
            assertThat(counter.hit(NOON - back, 1).retryMicros()).isEqualTo(MINUTE);
            assertThat(counter.hit(NOON - back + MINUTE, 10).admitted()).isEqualTo(1);
        }
    }

    @Test
    void logs_that_began_as_one_do_not_see_each_others_hits() {
        var one = story.counter;
        one.hit(NOON, 1);
        var other = one.copy();
        var third = one.copy();
        one.hit(NOON + SECOND, 2);
        other.hit(NOON + 2 * SECOND, 3);
        third.refund(NOON + 2 * SECOND, 1);
        one.hit(NOON + 3 * SECOND, 2);
        other.hit(NOON + 3 * SECOND, 4);
        third.hit(NOON + 3 * SECOND, 1);
        assertThat(one.left(NOON + MINUTE)).isEqualTo(6);
        assertThat(one.left(NOON + MINUTE + SECOND)).isEqualTo(8);
        assertThat(other.left(NOON + MINUTE + SECOND)).isEqualTo(3);
        assertThat(other.left(NOON + MINUTE + 2 * SECOND)).isEqualTo(6);
        assertThat(third.left(NOON + MINUTE)).isEqualTo(9);
    }

    /** The log against a list of hits: one element for each hit, and every rule spelled out on it. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void does_what_a_list_of_single_hits_does(long seed) {
        var random = new SplittableRandom(seed);
        var list = new ArrayDeque<Long>();
        long now = NOON;
        for (int step = 0; step < 3_000; step++) {
            now += random.nextInt(3) == 0 ? 0 : random.nextLong(MINUTE / 6);
            long hits = random.nextLong(5);
            while (!list.isEmpty() && list.getFirst() <= now - MINUTE) {
                list.removeFirst();
            }
            switch (random.nextInt(6)) {
                case 0 -> {
                    story.counter.refund(now, hits);
                    for (long i = 0; i < hits && !list.isEmpty(); i++) {
                        list.removeLast();
                    }
                }
                case 1 -> {
                    long chargedAt = list.isEmpty() ? now : new ArrayList<>(list).get(random.nextInt(list.size()));
                    story.counter.giveBack(now, hits, chargedAt);
                    for (long i = 0; i < hits; i++) {
                        list.removeLastOccurrence(chargedAt);
                    }
                }
                default -> {
                    boolean fits = list.size() + hits <= 10;
                    assertThat(story.counter.hit(now, hits).admitted())
                            .as("seed %d, step %d", seed, step)
                            .isEqualTo(fits ? 1 : 0);
                    for (long i = 0; fits && i < hits; i++) {
                        list.addLast(now);
                    }
                }
            }
            Evaluation look = story.counter.look(now);
            assertThat(look.left()).as("seed %d, step %d", seed, step).isEqualTo(10 - list.size());
            assertThat(look.resetMicros())
                    .as("seed %d, step %d", seed, step)
                    .isEqualTo(list.isEmpty() ? 0 : list.getLast() + MINUTE - now);
        }
    }
}
