package dev.weir.rules.yaml.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;

/** It says what the library's reader says, wherever somebody is in a text and however he came there. */
final class TextReaderTest {
    private static final String[] PLAIN = {"a", "b", " ", "\n", "\r", "\r\n", "\t", "\u0085", "\u2028", "\uFEFF", "ü"};
    private static final String[] WIDE = {"a", "\n", "\r", "\uD83D\uDE00", "\uFEFF", "\u4E2D"};
    private static final int TEXTS = 300;
    private static final int STEPS = 60;
    private static final int LONGEST = 40;
    private static final int FAR = 9;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void it_is_where_the_librarys_reader_is(long seed) {
        var random = new Random(seed);
        for (int i = 0; i < TEXTS; i++) {
            String text = text(random, i % 2 == 0 ? PLAIN : WIDE);
            var reader = new TextReader(text);
            var expected = new StreamReader(text);
            for (int step = 0; step < STEPS && expected.peek() != 0; step++) {
                int distance = random.nextInt(FAR);
                assertThat(step(reader, step, distance)).as(text).isEqualTo(step(expected, step, distance));
                assertThat(place(reader)).as(text).isEqualTo(place(expected));
            }
        }
    }

    private static String text(Random random, String[] signs) {
        var text = new StringBuilder();
        int length = random.nextInt(LONGEST);
        for (int i = 0; i < length; i++) {
            text.append(signs[random.nextInt(signs.length)]);
        }
        return text.toString();
    }

    private static String step(StreamReader reader, int step, int distance) {
        return switch (step % 6) {
            case 0 -> String.valueOf(reader.peek());
            case 1 -> String.valueOf(reader.peek(distance));
            case 2 -> reader.prefix(distance);
            case 3 -> {
                reader.forward(distance);
                yield "";
            }
            case 4 -> {
                reader.forward();
                yield "";
            }
            default -> left(reader, distance) < distance ? "" : reader.prefixForward(distance);
        };
    }

    /** Nobody passes the end with what stands before it. */
    private static int left(StreamReader reader, int distance) {
        return reader.prefix(distance).codePointCount(0, reader.prefix(distance).length());
    }

    private static String place(StreamReader reader) {
        var mark = reader.getMark();
        return "%d %d %d, %d %d %d %d"
                .formatted(
                        mark.getIndex(),
                        mark.getLine(),
                        mark.getColumn(),
                        reader.getIndex(),
                        reader.getDocumentIndex(),
                        reader.getLine(),
                        reader.getColumn());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ab\u0001c", "ab\u0000c", "ab\uD83Dc", "\uD83D\uDE00b\u0007"})
    void what_no_yaml_has_is_a_mistake_for_whoever_comes_there(String text) {
        var reader = new TextReader(text);
        reader.forward();
        assertThat(reader.peek()).isEqualTo('b');
        assertThatThrownBy(() -> reader.peek(1)).isInstanceOf(ReaderException.class);
        assertThatThrownBy(() -> reader.prefix(2)).isInstanceOf(ReaderException.class);
        assertThatThrownBy(() -> reader.forward(2)).isInstanceOf(ReaderException.class);
        assertThat(reader.getMark().getColumn()).as("before it").isEqualTo(2);
    }
}
