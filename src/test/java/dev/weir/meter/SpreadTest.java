package dev.weir.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** How large values are of which only the classes are known. */
final class SpreadTest {
    private final Histogram histogram = new Histogram(10, 1, 2, 4); // 10, 20, 40 as they are recorded

    private void record(int times, long value) {
        for (int i = 0; i < times; i++) {
            histogram.record(value);
        }
    }

    @Test
    void of_no_values_none_is_the_largest() {
        assertThat(histogram.spread().quantile(0.5)).isNaN();
        assertThat(histogram.spread().count()).isZero();
    }

    @Test
    void values_lie_evenly_in_their_class() {
        record(50, 5);
        record(50, 30);
        var spread = histogram.spread();
        assertThat(spread.count()).isEqualTo(100);
        assertThat(spread.quantile(0.25)).isEqualTo(5, within(1e-9));
        assertThat(spread.quantile(0.5)).isEqualTo(10, within(1e-9));
        assertThat(spread.quantile(0.75)).isEqualTo(30, within(1e-9));
        assertThat(spread.quantile(1)).isEqualTo(40, within(1e-9));
    }

    @Test
    void beyond_the_last_bound_nobody_knows_how_far() {
        record(98, 5);
        record(2, 1_000);
        assertThat(histogram.spread().quantile(0.99)).isEqualTo(40);
        assertThat(histogram.spread().quantile(0.98)).isEqualTo(10, within(1e-9));
    }

    @Test
    void what_came_before_is_left_out() {
        record(1_000, 5);
        var before = histogram.spread();
        record(10, 30);
        var since = histogram.spread().since(before);
        assertThat(since.count()).isEqualTo(10);
        assertThat(since.quantile(0.5)).isEqualTo(30, within(1e-9));
    }
}
