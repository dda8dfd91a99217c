package dev.weir.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How old connections get: a day, more or less. */
final class MaxAgeTest {
    private static final Duration DAY = Duration.ofHours(24);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void ages_lie_within_a_tenth_and_reach_both_ends(long seed) {
        var dice = new SplittableRandom(seed);
        var age = new MaxAge(DAY, Duration.ZERO);
        long youngest = Long.MAX_VALUE;
        long oldest = 0;
        for (int i = 0; i < 10_000; i++) {
            long nanos = age.nanos(dice);
            youngest = Math.min(youngest, nanos);
            oldest = Math.max(oldest, nanos);
        }
        assertThat(Duration.ofNanos(youngest))
                .as("seed %d", seed)
                .isBetween(tenths(9), tenths(9).plusMinutes(5));
        assertThat(Duration.ofNanos(oldest))
                .as("seed %d", seed)
                .isBetween(tenths(11).minusMinutes(5), tenths(11));
    }

    private static Duration tenths(int tenths) {
        return DAY.dividedBy(10).multipliedBy(tenths);
    }

    @Test
    void an_age_too_short_for_a_tenth_is_itself() {
        assertThat(new MaxAge(Duration.ofNanos(9), Duration.ZERO).nanos(new SplittableRandom(1)))
                .isEqualTo(9);
    }

    @Test
    void no_age_is_for_ever_and_none_is_negative() {
        assertThat(MaxAge.NONE.isUnbounded()).isTrue();
        assertThat(new MaxAge(DAY, Duration.ZERO).isUnbounded()).isFalse();
        assertThatThrownBy(() -> new MaxAge(DAY.negated(), DAY)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new MaxAge(DAY, DAY.negated())).isInstanceOf(IllegalArgumentException.class);
    }
}
