package dev.weir.decide.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.rules.Domain;
import dev.weir.rules.RateLimit;
import dev.weir.rules.RuleNode;
import dev.weir.rules.RuleSet;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was written into a key is read from it. */
final class KeyReaderTest {
    private static final Limit PER_HOUR = Limit.fixedWindow(Quota.per(Unit.HOUR, 5));

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void what_was_written_is_read(long seed) {
        var random = new SplittableRandom(seed);
        for (int step = 0; step < 5_000; step++) {
            var entries = new Entry[random.nextInt(4)];
            Arrays.setAll(entries, _ -> new Entry(text(random), text(random)));
            var domain = text(random);
            long seconds = random.nextLong(1, Quota.MAX_WINDOW_SECONDS + 1);
            int windowParts = random.nextBoolean() ? 1 : 10; // ten parts of any second are whole microseconds
            var limit = Limit.of(new Quota(9, seconds), new Algorithm.SlidingWindow(windowParts));

            var parts =
                    KeyReader.read(KeyWriter.write(domain, Descriptor.of(entries), null, limit, random.nextBoolean()));

            assertThat(parts)
                    .as("seed %d, step %d", seed, step)
                    .isEqualTo(new KeyReader.Parts(
                            domain,
                            Arrays.stream(entries)
                                    .map(entry -> entry.key() + "=" + entry.value())
                                    .toList(),
                            limit.algorithm().number(),
                            seconds,
                            windowParts));
        }
    }

    @Test
    void a_shared_pattern_stands_in_the_place_of_its_values() {
        var flags = new RuleNode.Flags(false, false, false, false, true, null);
        var node = new RuleNode("path", "/api/*", RateLimit.of(PER_HOUR), flags, Map.of(), List.of());
        var tree = RuleSet.of(List.of(Domain.of("d", List.of(node)))).domain("d");
        assertThat(tree).isNotNull();
        var descriptor = Descriptor.of(new Entry("path", "/api/a"));

        assertThat(KeyReader.read(KeyWriter.write("d", descriptor, tree.match(descriptor), PER_HOUR, false))
                        .entries())
                .containsExactly("path=/api/* (one counter for all that fit)");
    }

    @Test
    void a_long_text_is_told_by_its_hash() {
        var descriptor = Descriptor.of(new Entry("query", "q".repeat(257)));

        assertThat(KeyReader.read(KeyWriter.write("d", descriptor, null, PER_HOUR, false))
                        .entries())
                .singleElement()
                .asString()
                .matches("query=\\(hash [0-9a-f]{32} of a long text\\)");
    }

    private static String text(SplittableRandom random) {
        var text = new StringBuilder();
        for (int i = random.nextInt(5); i > 0; i--) {
            text.append(List.of("a", "\0", "\u0001", "ü", "𝄞", "=", ",").get(random.nextInt(7)));
        }
        return text.toString();
    }
}
