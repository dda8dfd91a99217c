package dev.weir.rules.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Charge;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever stands in a file, it is read or refused with a place: a slip of the pen is never a defect. */
final class MutatedRulesTest {
    private static final String[] SLIPS = {
        "*",
        "&a ",
        "*a",
        "<<: ",
        "!!int ",
        "!!set ",
        "!foo ",
        "? ",
        "- ",
        ": ",
        "\n",
        "{",
        "}",
        "[",
        "]",
        "'",
        "\"",
        "|\n",
        ">\n",
        "---\n",
        "...\n",
        "%YAML 1.1\n",
        "\t",
        "~",
        "\u2028",
        "\\",
        "\\'",
        "\"\\U",
        "\"\\xE\"",
        "\"\\UFFFFFFFF\"",
        "%YAML 1.99999999999\n---\n",
        ".inf",
        "1e999",
        "1h1h",
        "\0",
        "#",
        ",",
        "null",
        "&x [*x]"
    };

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void slips_are_told_with_a_place(long seed) throws IOException {
        var random = new SplittableRandom(seed);
        var texts = texts();
        for (int i = 0; i < 2_000; i++) {
            String text = mutated(texts.get(random.nextInt(texts.size())), random);
            try {
                YamlRules.read(
                        List.of(SourceFile.of("slip.yaml", text.getBytes(UTF_8))),
                        new YamlRules.Options(false, Charge.ALWAYS));
            } catch (RulesException e) {
                assertThat(e.mistakes()).as("seed %d, %s", seed, text).allSatisfy(mistake -> {
                    assertThat(mistake.line()).isPositive();
                    assertThat(mistake.column()).isPositive();
                    assertThat(mistake.message()).doesNotContain("\n");
                });
            } catch (RuntimeException | StackOverflowError e) {
                throw new AssertionError("seed %d: a defect over %s".formatted(seed, text), e);
            }
        }
    }

    private static String mutated(String text, SplittableRandom random) {
        var mutated = new StringBuilder(text);
        for (int slips = random.nextInt(1, 5); slips > 0; slips--) {
            int at = random.nextInt(mutated.length() + 1);
            if (random.nextInt(4) == 0) {
                mutated.delete(at, Math.min(mutated.length(), at + random.nextInt(8)));
            } else {
                mutated.insert(at, SLIPS[random.nextInt(SLIPS.length)]);
            }
        }
        return mutated.toString();
    }

    private static List<String> texts() throws IOException {
        List<String> texts = new ArrayList<>();
        for (String folder : List.of("good", "bad")) {
            for (var fixture : Fixtures.in(folder)) {
                for (var file : Fixtures.files(fixture)) {
                    texts.add(new String(file.content(), UTF_8));
                }
            }
        }
        return texts;
    }
}
