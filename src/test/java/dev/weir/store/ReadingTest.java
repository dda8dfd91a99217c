package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Evaluation;
import dev.weir.limit.Limit;
import dev.weir.limit.OneCounter;
import dev.weir.limit.Quota;
import dev.weir.limit.RandomLimits;
import dev.weir.limit.Unit;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each of several equal checks is told, and how long a leaky bucket holds its hits up. */
final class ReadingTest {
    private static final long MINUTE = 60_000_000;
    private static final long NOON = StoreContract.NOON_MICROS;
    private static final CounterKey KEY = StoreContract.key("a");

    static Stream<Limit> limits() {
        return RandomLimits.tenAMinute().flatMap(limit -> Stream.of(locking(limit, 0), locking(limit, 20)));
    }

    private static Limit locking(Limit limit, long seconds) {
        return new Limit(limit.quota(), limit.algorithm(), limit.charge(), seconds);
    }

    @ParameterizedTest
    @MethodSource("limits")
    void equal_checks_merged_read_like_one_after_the_other(Limit first) {
        for (long seed = 1; seed <= 6; seed++) {
            var random = new SplittableRandom(seed);
            var merged = new OneCounter(first);
            var single = new OneCounter(first);
            long now = NOON;
            for (int step = 0; step < 800; step++) {
                now += random.nextInt(8) == 0 ? -random.nextLong(MINUTE / 8) : random.nextLong(MINUTE / 4);
                Limit limit = random.nextInt(4) == 0 ? RandomLimits.changed(first, random) : first;
                String place = "seed " + seed + ", step " + step + ", " + limit;
                Check check = Check.of(KEY, limit, random.nextLong(5));
                if (random.nextInt(6) == 0) {
                    merged.under(limit).refund(now, check.hits());
                    single.under(limit).refund(now, check.hits());
                }
                int times = check.isSameAs(check) ? 1 + random.nextInt(7) : 1;
                Evaluation all = merged.under(limit).hits(now, check.hits(), times);
                for (int i = 0; i < times; i++) {
                    Evaluation one = single.under(limit).hit(now, check.hits());
                    assertThat(Reading.of(check, all, i))
                            .as("%s, %d of %d", place, i, times)
                            .isEqualTo(Reading.of(check, one, 0));
                    assertThat(all.at()).as(place).isEqualTo(one.at());
                }
                assertThat(merged.left(now)).as(place).isEqualTo(single.left(now));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("limits")
    void equal_checks_of_the_largest_limits_merge_exactly_too(Limit like) {
        for (Limit limit : RandomLimits.extremesOf(like)) {
            for (long hits : new long[] {1, 3, limit.capacity() / 3 + 1, limit.capacity()}) {
                Check check = Check.of(KEY, limit, hits);
                int times = check.isSameAs(check) ? 5 : 1;
                var single = new OneCounter(limit);
                Evaluation all = new OneCounter(limit).hits(NOON + 7, hits, times);
                for (int i = 0; i < times; i++) {
                    assertThat(Reading.of(check, all, i))
                            .as("%d of %s", i, check)
                            .isEqualTo(Reading.of(check, single.hit(NOON + 7, hits), 0));
                }
            }
        }
    }

    @Test
    void what_reads_differently_each_time_is_not_merged() {
        for (Limit limit : RandomLimits.tenAMinute().toList()) {
            boolean isFixed = limit.algorithm() instanceof Algorithm.FixedWindow;
            boolean merges = limit.charge() == Charge.ON_ADMIT || (limit.charge() == Charge.ALWAYS && isFixed);
            assertThat(Check.of(KEY, limit, 1).isSameAs(Check.of(KEY, limit, 1)))
                    .isEqualTo(merges);
            assertThat(Check.of(KEY, limit, 0).isSameAs(Check.of(KEY, limit, 0)))
                    .isTrue();
            Check refund = Check.refund(KEY, limit, 1);
            assertThat(refund.isSameAs(refund)).isFalse();
            assertThat(refund.isSameAs(Check.of(KEY, limit, 1))).isFalse();
        }
    }

    @Test
    void a_hit_stays_in_a_leaky_bucket_until_those_before_it_have_left() {
        // Four a second leave the bucket; it holds six.
        var limit = Limit.of(Quota.per(Unit.SECOND, 4), new Algorithm.LeakyBucket(6));
        var counter = new OneCounter(limit);
        //   at ms, hits, delay in ms
        long[][] rows = {
            {0, 1, 0},
            {0, 1, 250},
            {100, 2, 400},
            {100, 1, 900},
            {900, 1, 350},
            {900, 0, 600},
            {1_400, 0, 100},
            {10_000, 6, 0}
        };
        for (long[] row : rows) {
            Check check = Check.of(KEY, limit, row[1]);
            Reading reading = Reading.of(check, counter.hit(NOON + row[0] * 1_000, row[1]), 0);
            assertThat(reading.isAdmitted()).as("at %d ms", row[0]).isTrue();
            assertThat(reading.delayMicros()).as("at %d ms", row[0]).isEqualTo(row[2] * 1_000);
        }
        Check check = Check.of(KEY, limit, 1);
        assertThat(Reading.of(check, counter.hit(NOON + 10_000_000, 1), 0).delayMicros())
                .isZero(); // refused: it is not inside
    }

    @Test
    void hits_that_come_at_once_leave_a_leaky_bucket_one_by_one() {
        var limit = Limit.of(Quota.per(Unit.SECOND, 3), new Algorithm.LeakyBucket(5));
        Check check = Check.of(KEY, limit, 1);
        Evaluation six = new OneCounter(limit).hits(NOON, 1, 6);
        long[] delays = {0, 333_334, 666_667, 1_000_000, 1_333_334, 0};
        for (int i = 0; i < delays.length; i++) {
            assertThat(Reading.of(check, six, i).delayMicros()).as("%d.", i).isEqualTo(delays[i]);
        }
    }

    @Test
    void only_leaky_buckets_delay() {
        for (Limit limit : RandomLimits.tenAMinute().toList()) {
            boolean isLeaky = limit.algorithm() instanceof Algorithm.LeakyBucket;
            var counter = new OneCounter(limit);
            counter.hit(NOON, 2);
            assertThat(Reading.of(Check.of(KEY, limit, 1), counter.hit(NOON, 1), 0)
                            .delayMicros())
                    .isEqualTo(isLeaky ? 12_000_000 : 0);
        }
    }

    @Test
    void a_refused_look_at_a_counter_that_is_not_locked_tells_when_it_is_as_untouched() {
        var limit = new Limit(Quota.per(Unit.MINUTE, 10), new Algorithm.TokenBucket(10), Charge.DRAIN, 300);
        var counter = new OneCounter(limit);
        counter.hit(NOON, 10);
        Check look = Check.of(KEY, limit, 0);
        assertThat(Reading.of(look, counter.look(NOON), 0)).isEqualTo(new Reading(false, 0, 0, MINUTE, 6_000_000, 0));
        counter.hit(NOON, 1);
        assertThat(Reading.of(look, counter.look(NOON), 0))
                .isEqualTo(new Reading(false, 0, 0, 5 * MINUTE, 5 * MINUTE, 0));
    }
}
