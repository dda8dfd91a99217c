package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WiringTest {
    private static final long HEAP = 192L << 20;

    @ParameterizedTest
    @CsvSource({"PT0.015S, PT10S", "PT20S, PT40S", "PT1M, PT2M"})
    void who_waits_over_http_waits_longer_than_the_store_may_take(Duration storeTimeout, Duration patience) {
        assertThat(Wiring.patience(storeTimeout)).isEqualTo(patience);
    }

    @Test
    void the_over_limit_memory_takes_a_twentieth_of_the_heap_or_what_is_set_and_never_more_than_a_quarter() {
        assertThat(Wiring.overLimitBytes(OptionalLong.empty(), HEAP)).isEqualTo(HEAP / 20);
        assertThat(Wiring.overLimitBytes(OptionalLong.of(0), HEAP)).isZero();
        assertThat(Wiring.overLimitBytes(OptionalLong.of(1 << 20), HEAP)).isEqualTo(1 << 20);
        assertThat(Wiring.overLimitBytes(OptionalLong.of(1L << 40), HEAP)).isEqualTo(HEAP / 4);
    }
}
