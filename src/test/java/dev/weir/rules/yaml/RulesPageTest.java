package dev.weir.rules.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rules.yaml.Word.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/rules.md lists the words of the table, row by row. */
final class RulesPageTest {

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RATE_LIMITS") // whose words are those of RATE_LIMIT
    void the_page_lists_the_words_of_each_place(Place place) throws IOException {
        String rows = Arrays.stream(Word.values())
                .filter(word -> word.place() == place)
                .map(word -> "| `%s` | %s | %s |\n".formatted(word.text(), word.kind(), word.meaning()))
                .collect(Collectors.joining());

        assertThat(Files.readString(Path.of("docs/rules.md")))
                .as("to be pasted into docs/rules.md")
                .contains("| word | takes | meaning |\n| --- | --- | --- |\n" + rows + "\n");
    }
}
