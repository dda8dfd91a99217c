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
import dev.weir.store.CounterKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two descriptors share a counter only if they are equal, or a shared pattern says so. */
final class KeyWriterTest {
    private static final Limit PER_HOUR = Limit.fixedWindow(Quota.per(Unit.HOUR, 5));

    @Test
    void underscores_and_other_joints_do_not_make_different_descriptors_equal() {
        assertThat(key("d", entry("a", "b_c"))).isNotEqualTo(key("d", entry("a_b", "c")));
        assertThat(key("a_b", entry("c", "d"))).isNotEqualTo(key("a", entry("b_c", "d")));
        assertThat(key("d", entry("a", "b"), entry("c", "d"))).isNotEqualTo(key("d", entry("a", "b\0\0\1c\0\0\1d")));
        assertThat(key("d", entry("a", ""))).isNotEqualTo(key("d", entry("", "a")));
    }

    /** Over the wire nobody can send one; a Java application may. */
    @Test
    void half_a_surrogate_pair_is_no_question_mark() {
        assertThat(List.of(
                        "a\uD800", "a\uDC00", "a?", "a\uDC00\uD800", "a\uD800\uDC00", "\uD800a", "a\uD800\uD800\uDC00"))
                .extracting(text -> key("d", entry("user", text)))
                .doesNotHaveDuplicates();
    }

    /** Each bit, and none: one that is lost makes a key that of none. */
    @Test
    void beside_half_a_surrogate_pair_every_bit_of_the_others_counts() {
        assertThat(IntStream.rangeClosed(0, Character.SIZE)
                        .mapToObj(bit -> key("d", entry("user", "\uD800" + (char) (1 << bit)))))
                .doesNotHaveDuplicates();
    }

    @Test
    void another_window_is_another_counter_and_another_limit_is_not() {
        var descriptor = Descriptor.of(entry("user", "7"));
        var perMinute = Limit.fixedWindow(Quota.per(Unit.MINUTE, 5));
        var more = Limit.fixedWindow(Quota.per(Unit.HOUR, 500));
        CounterKey key = KeyWriter.write("d", descriptor, null, PER_HOUR, false);
        assertThat(KeyWriter.write("d", descriptor, null, perMinute, false)).isNotEqualTo(key);
        assertThat(KeyWriter.write("d", descriptor, null, more, false)).isEqualTo(key);
        assertThat(KeyWriter.write("d", descriptor, null, perMinute, false).place())
                .isEqualTo(key.place());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void what_is_written_beside_another_key_is_the_key_that_is_written_by_itself(boolean isAtomic) {
        List<Limit> limits = List.of(
                PER_HOUR,
                Limit.of(Quota.per(Unit.DAY, 5), new Algorithm.SlidingWindow(24)),
                Limit.of(Quota.per(Unit.MINUTE, 5), new Algorithm.Gcra(5)));
        for (String domain : List.of("", "d", "ü".repeat(128), "long".repeat(100))) {
            var descriptor = Descriptor.of(entry("user", "7"), entry("path", "p".repeat(300)));
            for (Limit first : limits) {
                CounterKey key = KeyWriter.write(domain, descriptor, null, first, isAtomic);
                for (Limit limit : limits) {
                    CounterKey expected = KeyWriter.write(domain, descriptor, null, limit, isAtomic);
                    CounterKey beside = KeyWriter.beside(key, first, limit, isAtomic);
                    assertThat(beside).isEqualTo(expected);
                    assertThat(beside.place()).isEqualTo(expected.place());
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 300})
    void a_shared_pattern_is_one_counter_for_its_values_but_not_for_its_own_text(int length) {
        String api = "/api".repeat(length);
        var node = new RuleNode(
                "path",
                api + "/*",
                RateLimit.of(PER_HOUR),
                new RuleNode.Flags(false, false, false, false, true, null),
                Map.of(),
                List.of());
        var tree = RuleSet.of(List.of(Domain.of("d", List.of(node)))).domain("d");
        assertThat(tree).isNotNull();
        var first = Descriptor.of(entry("path", api + "/a"));
        var second = Descriptor.of(entry("path", api + "/b"));
        var literal = Descriptor.of(entry("path", api + "/*"));
        CounterKey shared = KeyWriter.write("d", first, tree.match(first), PER_HOUR, false);
        assertThat(KeyWriter.write("d", second, tree.match(second), PER_HOUR, false))
                .isEqualTo(shared);
        assertThat(KeyWriter.write("d", literal, tree.match(literal), PER_HOUR, false))
                .isNotEqualTo(shared);
        assertThat(KeyWriter.write("d", first, null, PER_HOUR, false)).isNotEqualTo(shared);
    }

    @Test
    void long_values_are_short_in_the_key_and_still_different() {
        String longValue = "q".repeat(100_000);
        CounterKey key = key("d", entry("query", longValue));
        assertThat(key.bytes().length).isLessThan(100);
        assertThat(key("d", entry("query", longValue))).isEqualTo(key);
        assertThat(key("d", entry("query", longValue + "r"))).isNotEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 127, 128, 255, 256, 257})
    void text_of_any_length_and_script_has_a_key_of_its_own(int length) {
        assertThat(key("d", entry("k", "a".repeat(length))))
                .isNotEqualTo(key("d", entry("k", "b" + "a".repeat(length - 1))));
        assertThat(key("d", entry("k", "ü".repeat(length)))).isNotEqualTo(key("d", entry("k", "u".repeat(length))));
        assertThat(key("d", entry("k", "\0".repeat(length))))
                .isNotEqualTo(key("d", entry("k", "\0".repeat(length + 1))));
    }

    @Test
    void a_text_of_256_bytes_is_not_an_empty_one_with_another_entry_behind_it() {
        // Both lengths end in a byte of 0, and what the long one holds reads as two texts of 125 bytes.
        String half = "a".repeat(125);
        String pretender = ("\0\0" + (char) 125 + half).repeat(2);
        assertThat(pretender).hasSize(256);
        assertThat(key("d", entry("k", pretender))).isNotEqualTo(key("d", entry("k", ""), entry(half, half)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void different_descriptors_never_share_a_key(long seed) {
        var random = new SplittableRandom(seed);
        Map<CounterKey, List<String>> owners = new HashMap<>();
        for (int step = 0; step < 50_000; step++) {
            var parts = random.ints(2L * (1 + random.nextInt(3)), 0, 9)
                    .mapToObj(i -> List.of("", "a", "b", "a_b", "\0", "\0\0\1a", "{a}", "*", "ü")
                            .get(i))
                    .toList();
            var entries = new Entry[parts.size() / 2];
            for (int i = 0; i < entries.length; i++) {
                entries[i] = entry(parts.get(2 * i), parts.get(2 * i + 1));
            }
            var owner = owners.putIfAbsent(key("d", entries), parts);
            if (owner != null) {
                assertThat(owner).as("seed %d, step %d", seed, step).isEqualTo(parts);
            }
        }
    }

    private static CounterKey key(String domain, Entry... entries) {
        return KeyWriter.write(domain, Descriptor.of(entries), null, PER_HOUR, false);
    }

    private static Entry entry(String key, String value) {
        return new Entry(key, value);
    }
}
