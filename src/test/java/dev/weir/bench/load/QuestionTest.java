package dev.weir.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What numbers of keys are seen in a request. */
final class QuestionTest {

    @Test
    void who_sees_only_the_last_digits_tells_few_keys_apart() {
        assertThat(asking("user=u%03d").mostKeys()).isEqualTo(1_000);
        assertThat(asking("user=u%01d%%", "path=/p%02d").mostKeys()).isEqualTo(100);
        assertThat(asking("user=u%02d", "path=/p%d").mostKeys()).isEqualTo(Integer.MAX_VALUE);
        assertThat(asking("user=root").mostKeys()).isEqualTo(1);
    }

    private static Question asking(String... entries) {
        var all = Stream.of(entries)
                .map(entry -> entry.split("=", 2))
                .map(entry -> new Question.Entry(entry[0], entry[1]))
                .toList();
        return new Question("edge", List.of(new Question.Descriptor(all)), 1);
    }
}
