package dev.weir.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What one of several replicas may admit by itself. */
final class LimitShareTest {
    private static final Limit TEN_A_MINUTE = Limit.fixedWindow(Quota.per(Unit.MINUTE, 10));

    static Stream<Limit> limits() {
        return RandomLimits.tenAMinute()
                .flatMap(limit ->
                        Stream.concat(Stream.of(burstTenfold(limit)), RandomLimits.extremesOf(limit).stream()));
    }

    private static Limit burstTenfold(Limit limit) {
        Quota tenth = new Quota(1, limit.quota().windowSeconds());
        return new Limit(limit.quota(), limit.algorithm().scaled(tenth, limit.quota()), limit.charge(), 0);
    }

    @Test
    void hits_are_divided_and_the_rest_is_nobodys() {
        assertThat(TEN_A_MINUTE.share(1)).isSameAs(TEN_A_MINUTE);
        assertThat(TEN_A_MINUTE.share(3).quota()).isEqualTo(Quota.per(Unit.MINUTE, 3));
        assertThat(TEN_A_MINUTE.share(10).quota()).isEqualTo(Quota.per(Unit.MINUTE, 1));
    }

    @Test
    void of_fewer_hits_than_replicas_each_admits_one_in_a_longer_window() {
        assertThat(TEN_A_MINUTE.share(20).quota()).isEqualTo(new Quota(1, 120));
        assertThat(TEN_A_MINUTE.share(11).quota()).isEqualTo(new Quota(1, 66));
    }

    @Test
    void of_nothing_nobody_has_a_part() {
        assertThat(Limit.fixedWindow(Quota.per(Unit.HOUR, 0)).share(4).quota().hits())
                .isZero();
    }

    @Test
    void a_burst_is_divided_as_the_hits_are_and_all_else_stays() {
        var limit = new Limit(Quota.per(Unit.MINUTE, 10), new Algorithm.TokenBucket(12), Charge.DRAIN, 60);
        assertThat(limit.share(5))
                .isEqualTo(new Limit(Quota.per(Unit.MINUTE, 2), new Algorithm.TokenBucket(2), Charge.DRAIN, 60));
    }

    @ParameterizedTest
    @ValueSource(longs = {9, 10, 19, 20, 29})
    void of_a_burst_each_has_the_same_part_whatever_the_limit(long hits) {
        var limit = Limit.of(Quota.per(Unit.SECOND, hits), new Algorithm.TokenBucket(100));
        assertThat(limit.share(10).algorithm()).isEqualTo(new Algorithm.TokenBucket(10));
    }

    @Test
    void of_a_burst_each_has_its_part_though_there_are_fewer_hits_than_replicas() {
        var limit = Limit.of(Quota.per(Unit.SECOND, 1), new Algorithm.TokenBucket(100));
        assertThat(limit.share(10)).isEqualTo(Limit.of(new Quota(1, 10), new Algorithm.TokenBucket(10)));
        assertThat(limit.share(200)).isEqualTo(Limit.of(new Quota(1, 200), new Algorithm.TokenBucket(1)));
    }

    @ParameterizedTest
    @MethodSource("limits")
    void all_parts_together_admit_at_once_no_more_than_the_limit_but_one_for_each(Limit limit) {
        for (int replicas = 1; replicas <= 1_000; replicas = 1 + replicas * 3 / 2) {
            assertThat(limit.share(replicas).capacity() * replicas)
                    .as("%d of %s", replicas, limit)
                    .isLessThanOrEqualTo(Math.max(limit.capacity(), replicas));
        }
    }

    @ParameterizedTest
    @MethodSource("limits")
    void all_parts_together_are_never_more_than_the_limit_but_where_no_window_is_long_enough(Limit limit) {
        for (int replicas = 1; replicas <= 1_000; replicas = 1 + replicas * 3 / 2) {
            Quota part = limit.share(replicas).quota();
            if (part.windowSeconds() < Quota.MAX_WINDOW_SECONDS) {
                assertThat(product(part.hits() * replicas, limit.quota().windowSeconds()))
                        .as("%d of %s", replicas, limit)
                        .isLessThanOrEqualTo(product(limit.quota().hits(), part.windowSeconds()));
            }
        }
    }

    private static BigInteger product(long one, long other) {
        return BigInteger.valueOf(one).multiply(BigInteger.valueOf(other));
    }
}
