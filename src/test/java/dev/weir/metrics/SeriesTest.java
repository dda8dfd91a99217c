package dev.weir.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Reading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hits within, near and over a limit, by the figures of the Go service's own tests. */
final class SeriesTest {
    private static final float RATIO = 0.8f;

    private final Series series = new Series("shop.user");

    @ParameterizedTest(name = "limit {0}, {1} hits, {2} after them")
    @CsvSource({
        // limit, hits, after -> near, over, within
        "15,  1, 11, 0, 0, 1",
        "15,  1, 12, 0, 0, 1", // 12 is the near limit itself
        "15,  1, 13, 1, 0, 1",
        "15,  1, 16, 0, 1, 0",
        "20,  3, 22, 1, 2, 0",
        "20,  7, 22, 4, 2, 0",
        "8,   2,  7, 1, 0, 2",
        "10,  3, 30, 0, 3, 0",
        "10,  0, 10, 0, 0, 0",
        "0,   1,  1, 0, 1, 0",
        "1,   1,  1, 1, 0, 1", // of a limit of 1 nothing is not near
    })
    void hits_are_within_near_or_over(long limit, long hits, long after, long near, long over, long within) {
        series.decided(hits, perMinute(limit), reading(limit, hits, after), RATIO, false);
        assertThat(series.count(Stat.TOTAL_HITS)).isEqualTo(hits);
        assertThat(series.count(Stat.NEAR_LIMIT)).as("near").isEqualTo(near);
        assertThat(series.count(Stat.OVER_LIMIT)).as("over").isEqualTo(over);
        assertThat(series.count(Stat.WITHIN_LIMIT)).as("within").isEqualTo(within);
        assertThat(series.count(Stat.SHADOW_MODE)).as("shadow").isZero();
    }

    @Test
    void a_rule_that_refuses_nothing_counts_what_it_would_have_refused() {
        series.decided(7, perMinute(20), reading(20, 7, 22), RATIO, true);
        series.decided(3, perMinute(20), reading(20, 3, 25), RATIO, true);
        assertThat(series.count(Stat.SHADOW_MODE)).isEqualTo(5);
        assertThat(series.count(Stat.OVER_LIMIT)).isEqualTo(5);
    }

    @Test
    void what_is_refused_from_memory_is_over_and_told_apart() {
        series.decided(3, perMinute(20), new Reading(false, 0, 0, 1, 1, 0, true), RATIO, false);
        assertThat(series.count(Stat.OVER_LIMIT)).isEqualTo(3);
        assertThat(series.count(Stat.NEAR_LIMIT)).isZero();
        assertThat(series.count(Stat.OVER_LIMIT_WITH_LOCAL_CACHE)).isEqualTo(3);
    }

    /** A lock refuses although there is room. */
    @Test
    void all_hits_are_over_that_were_refused_below_the_limit() {
        series.decided(2, perMinute(20), new Reading(false, 0, 15, 1, 1, 0), RATIO, false);
        assertThat(series.count(Stat.OVER_LIMIT)).isEqualTo(2);
        assertThat(series.count(Stat.NEAR_LIMIT)).isZero();
    }

    @Test
    void where_a_burst_is_allowed_it_is_what_hits_are_near_to() {
        Limit bucket = Limit.of(Quota.per(Unit.MINUTE, 100), new Algorithm.TokenBucket(10));
        series.decided(1, bucket, new Reading(true, 1, 2, 1, 0, 0), RATIO, false);
        assertThat(series.count(Stat.NEAR_LIMIT)).isEqualTo(1);
    }

    /** In double precision the first would be 3,435,973,836. */
    @Test
    void the_near_limit_is_computed_in_single_precision() {
        assertThat(Series.nearLimit(4_294_967_295L, RATIO)).isEqualTo(3_435_973_888L);
        assertThat(Series.nearLimit(15, RATIO)).isEqualTo(12);
    }

    @Test
    void above_one_the_ratio_lets_no_hit_be_near() {
        for (long after = 4; after <= 25; after += 3) {
            series.decided(4, perMinute(20), reading(20, 4, after), 1.5f, false);
        }
        assertThat(series.count(Stat.NEAR_LIMIT)).isZero();
        assertThat(Series.nearLimit(20, Float.MAX_VALUE)).isEqualTo(20);
    }

    private static Limit perMinute(long hits) {
        return Limit.fixedWindow(Quota.per(Unit.MINUTE, hits));
    }

    /** What a store reads where the count is so much after the hits. */
    private static Reading reading(long limit, long hits, long after) {
        long available = Math.max(0, limit - (after - hits));
        return new Reading(after <= limit, Math.max(0, limit - after), available, 1, 0, 0);
    }
}
