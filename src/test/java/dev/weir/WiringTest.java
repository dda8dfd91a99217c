package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class WiringTest {
    private static final long HEAP = 192L << 20;

    @Test
    void the_over_limit_memory_takes_a_twentieth_of_the_heap_or_what_is_set_and_never_more_than_a_quarter() {
        assertThat(Wiring.overLimitBytes(OptionalLong.empty(), HEAP)).isEqualTo(HEAP / 20);
        assertThat(Wiring.overLimitBytes(OptionalLong.of(0), HEAP)).isZero();
        assertThat(Wiring.overLimitBytes(OptionalLong.of(1 << 20), HEAP)).isEqualTo(1 << 20);
        assertThat(Wiring.overLimitBytes(OptionalLong.of(1L << 40), HEAP)).isEqualTo(HEAP / 4);
    }
}
