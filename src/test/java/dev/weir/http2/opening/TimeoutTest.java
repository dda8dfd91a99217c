package dev.weir.http2.opening;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TimeoutTest {
    @ParameterizedTest
    @CsvSource({
        "0n, 0",
        "1n, 1",
        "12345678u, 12345678000",
        "20m, 20000000",
        "3S, 3000000000",
        "2M, 120000000000",
        "1H, 3600000000000",
        "99999999H, 31536000000000000"
    })
    void is_a_number_and_a_unit(String text, long nanos) throws RefusedException {
        assertThat(Timeout.nanos(text)).isEqualTo(nanos);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "m", "1", "1s", "-1m", "+1m", "1 m", "123456789m", "1mm", "\u0663m"})
    void anything_else_is_malformed(String text) {
        assertThatThrownBy(() -> Timeout.nanos(text))
                .isInstanceOf(RefusedException.class)
                .hasMessage("grpc-timeout is malformed: " + text);
    }
}
