package dev.weir.words;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Texts of others in a line of ours. */
final class OneLineTest {

    @Test
    void what_would_begin_a_line_or_speak_to_the_terminal_is_a_space() {
        assertThat(OneLine.of("a\nb\rc\u001b[31md\u0000e\u0085f\u2028g\u2029h\u009bi"))
                .isEqualTo("a b c [31md e f g h i");
        assertThat(OneLine.all("ä €\uD83D\uDE00`\"")).isEqualTo("ä €\uD83D\uDE00`\"");
    }

    @Test
    void of_a_long_one_stands_the_beginning() {
        assertThat(OneLine.of("x".repeat(200))).isEqualTo("x".repeat(200));
        assertThat(OneLine.of("x".repeat(199) + "\n" + "y".repeat(200_000))).isEqualTo("x".repeat(199) + " ...");
        assertThat(OneLine.all("x".repeat(300))).hasSize(300);
    }
}
