package dev.weir.words;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How far two words are from each other. */
final class EditsTest {
    @ParameterizedTest
    @CsvSource({
        "'', '', 0",
        "'', abc, 3",
        "second, second, 0",
        "second, secnd, 1",
        "second, seconds, 1",
        "second, sezond, 1",
        "second, secnod, 1",
        "second, esconds, 2",
        "minute, hour, 5",
        "ca, abc, 3"
    })
    void a_letter_more_less_or_other_and_a_swap_of_neighbours_is_one_each_way(String from, String to, int edits) {
        assertThat(Edits.between(from, to)).isEqualTo(edits);
        assertThat(Edits.between(to, from)).isEqualTo(edits);
    }
}
