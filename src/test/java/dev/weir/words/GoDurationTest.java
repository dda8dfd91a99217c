package dev.weir.words;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Variables and rule files are taken over from the Go service, so its spelling is ours. */
final class GoDurationTest {
    @ParameterizedTest
    @CsvSource({
        "10s, 10_000_000_000",
        "150us, 150_000",
        "150µs, 150_000",
        "150μs, 150_000",
        "1h30m, 5_400_000_000_000",
        "1.5h, 5_400_000_000_000",
        ".5s, 500_000_000",
        "1.s, 1_000_000_000",
        "3ns, 3",
        "1m1m, 120_000_000_000",
        "0s, 0"
    })
    void reads_lengths_as_go_does(String text, String nanos) {
        assertThat(GoDuration.nanos(text)).isEqualByComparingTo(nanos.replace("_", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "s", "1 s", "PT1S", "1d", "1s,", ".s", "10S", "-1s", "0"})
    void a_text_without_number_or_unit_or_with_a_sign_is_none(String text) {
        assertThat(GoDuration.nanos(text)).isNull();
    }

    @Test
    void a_length_may_be_more_than_a_long_holds() {
        assertThat(GoDuration.nanos("400000000h")).isGreaterThan(BigDecimal.valueOf(Long.MAX_VALUE));
    }

    @Test
    void a_text_that_nobody_would_write_is_none() {
        assertThat(GoDuration.nanos("1h".repeat(50))).isNotNull();
        assertThat(GoDuration.nanos("1h".repeat(20_000))).isNull();
    }

    @Test
    void writes_a_length_in_the_largest_unit_that_makes_it_whole() {
        assertThat(GoDuration.text(Duration.ZERO)).isEqualTo("0");
        assertThat(GoDuration.text(Duration.ofMillis(15))).isEqualTo("15ms");
        assertThat(GoDuration.text(Duration.ofSeconds(90))).isEqualTo("90s");
        assertThat(GoDuration.text(Duration.ofHours(1))).isEqualTo("1h");
    }
}
