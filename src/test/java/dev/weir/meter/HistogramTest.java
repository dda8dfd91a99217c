package dev.weir.meter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Values in classes. */
final class HistogramTest {
    @Test
    void a_value_on_a_bound_belongs_below_it() {
        var seconds = new Histogram(1e9, 0.001, 0.005);
        seconds.record(1_000_000);
        seconds.record(1_000_001);
        seconds.record(6_000_000);
        assertThat(seconds.count(0)).isEqualTo(1);
        assertThat(seconds.count(1)).isEqualTo(1);
        assertThat(seconds.count(2)).isEqualTo(1);
        assertThat(seconds.bound(1)).isEqualTo(0.005);
        assertThat(seconds.bound(2)).isInfinite();
        assertThat(seconds.sum()).isEqualTo(0.008000001);
    }

    @Test
    void a_zero_is_counted_in_the_first_class_and_has_no_part_in_the_spread() {
        var seconds = new Histogram(1e9, 0.001);
        seconds.record(0);
        seconds.record(1);
        assertThat(seconds.count(0)).isEqualTo(2);
        assertThat(seconds.count()).isEqualTo(2);
        assertThat(seconds.spread().counts()).containsExactly(1L, 0L);
    }
}
