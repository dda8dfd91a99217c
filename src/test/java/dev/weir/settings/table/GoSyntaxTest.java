package dev.weir.settings.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The Go service's environments can be taken over, so its spelling is ours. */
final class GoSyntaxTest {

    @ParameterizedTest
    @CsvSource({"0, PT0S", "+0, PT0S", "10s, PT10S", "+1h30m, PT1H30M", "3ns, PT0.000000003S", "-2m, PT-2M"})
    void reads_durations_as_go_does(String text, Duration length) {
        assertThat(GoSyntax.duration(text)).isEqualTo(length);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "10", "1d", "400000000h", "--1s", "+-0"})
    void a_text_that_go_refuses_is_no_duration(String text) {
        assertThat(GoSyntax.duration(text)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"1,true", "t,true", "T,true", "TRUE,true", "true,true", "True,true"})
    @CsvSource({"0,false", "f,false", "F,false", "FALSE,false", "false,false", "False,false"})
    void reads_switches_as_go_does(String text, boolean isOn) {
        assertThat(GoSyntax.bool(text)).isEqualTo(isOn);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yes", "on", "tRUE", " true", "2"})
    void a_text_that_go_refuses_is_no_switch(String text) {
        assertThat(GoSyntax.bool(text)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "7, 7", "+7, 7", "-7, -7", "9223372036854775807, 9223372036854775807", "1_000, 1000"})
    @CsvSource({"0x1F, 31", "0X1f, 31", "-0x10, -16", "0x_ff, 255", "0b101, 5", "0B1, 1", "0b_1, 1"})
    @CsvSource({"010, 8", "0o17, 15", "0_7, 7", "00, 0"})
    void reads_whole_numbers_as_go_does(String text, long number) {
        assertThat(GoSyntax.integer(text)).isEqualTo(number);
    }

    @ParameterizedTest
    @CsvSource({"''", "-", "08", "1__0", "_1", "1_", "0x", "0x+5", "0b2", "0o8", "0__7", "0_x1", "0_"})
    @CsvSource({"1e3", "1.0", "' 1'", "9223372036854775808", "\u0661"})
    void a_text_that_go_refuses_is_no_whole_number(String text) {
        assertThat(GoSyntax.integer(text)).isNull();
    }
}
