package dev.weir.settings.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The Go service's environments can be taken over, so its spelling is ours. */
final class GoSyntaxTest {

    @ParameterizedTest
    @CsvSource({
        "0, PT0S", "+0, PT0S", "10s, PT10S", "150us, PT0.00015S", "150µs, PT0.00015S", "1h30m, PT1H30M",
        "1.5h, PT1H30M", ".5s, PT0.5S", "1.s, PT1S", "3ns, PT0.000000003S", "-2m, PT-2M", "1m1m, PT2M"
    })
    void reads_durations_as_go_does(String text, Duration length) {
        assertThat(GoSyntax.duration(text)).isEqualTo(length);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "s", "1 s", "PT1S", "1d", "1s,", ".s", "10S", "400000000h", "--1s"})
    void a_text_that_go_refuses_is_no_duration(String text) {
        assertThat(GoSyntax.duration(text)).isNull();
    }

    @Test
    void a_text_that_nobody_would_write_is_no_duration() {
        assertThat(GoSyntax.duration("1h".repeat(50))).isEqualTo(Duration.ofHours(50));
        assertThat(GoSyntax.duration("1h".repeat(20_000))).isNull();
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

    @Test
    void writes_a_length_in_the_largest_unit_that_makes_it_whole() {
        assertThat(GoSyntax.text(Duration.ZERO)).isEqualTo("0");
        assertThat(GoSyntax.text(Duration.ofMillis(15))).isEqualTo("15ms");
        assertThat(GoSyntax.text(Duration.ofSeconds(90))).isEqualTo("90s");
        assertThat(GoSyntax.text(Duration.ofHours(1))).isEqualTo("1h");
    }
}
