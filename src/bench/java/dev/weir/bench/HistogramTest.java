package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read back is what was counted, but for a sixty-fourth. */
final class HistogramTest {
    private final Histogram histogram = new Histogram();

    @Test
    void without_durations_everything_is_zero() {
        assertThat(histogram.percentile(0.5)).isZero();
        assertThat(histogram.max()).isZero();
    }

    @Test
    void one_slow_answer_in_a_hundred_is_seen_beyond_the_99th() {
        for (int i = 0; i < 99; i++) {
            histogram.record(50);
        }
        histogram.record(1_000_000);
        assertThat(histogram.percentile(0.99)).isEqualTo(50);
        assertThat(histogram.percentile(0.999)).isEqualTo(1_000_000);
        assertThat(histogram.max()).isEqualTo(1_000_000);
    }

    @Test
    void what_is_out_of_range_is_counted_at_the_ends() {
        histogram.record(-1);
        histogram.record(Long.MAX_VALUE);
        assertThat(histogram.count()).isEqualTo(2);
        assertThat(histogram.percentile(0.5)).isZero();
        assertThat(histogram.percentile(1)).isEqualTo(histogram.max());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void percentiles_are_never_too_low_and_at_most_a_sixty_fourth_too_high(long seed) {
        var random = new SplittableRandom(seed);
        long[] durations = new long[10_000];
        Arrays.setAll(durations, _ -> random.nextLong(1L << random.nextInt(1, 40)));
        Arrays.stream(durations).forEach(histogram::record);
        Arrays.sort(durations);
        for (int percent = 1; percent <= 100; percent++) {
            long exact = durations[percent * 100 - 1];
            assertThat(histogram.percentile(percent / 100.0))
                    .as("seed %d, percentile %d", seed, percent)
                    .isBetween(exact, exact + exact / 64);
        }
    }
}
