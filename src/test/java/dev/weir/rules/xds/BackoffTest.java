package dev.weir.rules.xds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waits grow up to a bound, and chance shortens them. */
final class BackoffTest {
    private static final Duration FIRST = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @Test
    void a_wait_doubles_up_to_the_bound() {
        var backoff = new Backoff(FIRST, LONGEST, 2, 0);
        long[] seconds = {10, 20, 40, 60, 60};
        for (int failures = 1; failures <= seconds.length; failures++) {
            assertThat(backoff.after(failures, 0.7))
                    .as("after %d failures", failures)
                    .hasSeconds(seconds[failures - 1]);
        }
        assertThat(backoff.after(Integer.MAX_VALUE, 0)).as("no overflow").isEqualTo(LONGEST);
    }

    @Test
    void an_even_wait_does_not_grow() {
        var backoff = Backoff.even(FIRST, 0.5);
        assertThat(backoff.after(1, 0)).isEqualTo(FIRST);
        assertThat(backoff.after(9, 0)).isEqualTo(FIRST);
        assertThat(backoff.after(9, 1)).hasSeconds(5);
    }

    @Test
    void a_first_wait_beyond_the_bound_is_the_bound() {
        var backoff = new Backoff(Duration.ofSeconds(90), LONGEST, 2, 0);
        assertThat(backoff.after(1, 0)).isEqualTo(LONGEST);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void chance_spreads_waits_evenly_below_what_they_would_be(long seed) {
        var random = new SplittableRandom(seed);
        var backoff = new Backoff(FIRST, LONGEST, 1.5, 0.5);
        double sum = 0;
        int draws = 10_000;
        for (int i = 0; i < draws; i++) {
            int failures = random.nextInt(1, 12);
            double most = Math.min(60, 10 * Math.pow(1.5, failures - 1));
            double part = backoff.after(failures, random.nextDouble()).toNanos() / 1e9 / most;
            assertThat(part).as("seed %d, draw %d", seed, i).isBetween(0.499_999, 1.0);
            sum += part;
        }
        assertThat(sum / draws).as("mean, seed %d", seed).isBetween(0.74, 0.76);
    }

    @Test
    void what_would_shrink_or_lengthen_waits_is_refused() {
        assertThatThrownBy(() -> new Backoff(FIRST, LONGEST, 0.5, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Backoff(FIRST, LONGEST, 2, 1.5)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Backoff(FIRST, LONGEST, Double.NaN, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
