package dev.weir.words;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Things with their number. */
final class CountedTest {
    @Test
    void one_is_no_plural() {
        assertThat(Counted.of(0, "file")).isEqualTo("0 files");
        assertThat(Counted.of(1, "file")).isEqualTo("1 file");
        assertThat(Counted.of(12, "file")).isEqualTo("12 files");
    }
}
