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
}
