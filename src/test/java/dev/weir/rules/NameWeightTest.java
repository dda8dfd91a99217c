package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What names weigh that lead to rules: 256 bytes are a descriptor. */
final class NameWeightTest {
    private static final int A_KILOBYTE = 1_024;

    @Test
    void names_count_in_each_place_below_them() {
        var leaf = node("a", List.of());
        assertThat(NameWeight.of(leaf, 0, Long.MAX_VALUE)).isZero();
        var above = node("x".repeat(A_KILOBYTE), List.of(leaf, leaf));
        assertThat(NameWeight.of(above, 0, Long.MAX_VALUE)).isEqualTo(4 + 4 + 4);
        assertThat(NameWeight.of(above, A_KILOBYTE, Long.MAX_VALUE)).isEqualTo(8 + 8 + 8);
    }

    @Test
    void letters_count_with_their_bytes() {
        assertThat(NameWeight.bytes("k\u00e9\u6f22")).isEqualTo(1 + 2 + 3);
    }

    /** Without an end a million times a million places would be looked at. */
    @Test
    void no_more_places_are_looked_at_than_there_is_room_for() {
        var leaf = node("x".repeat(A_KILOBYTE), List.of());
        var shared = node("b", Collections.nCopies(1_000_000, leaf));
        var all = Collections.nCopies(1_000_000, shared);
        assertThat(NameWeight.of(all, 0, 1_000)).isBetween(1_001L, 1_004L);
        assertThat(NameWeight.of(all, 0, -1)).isZero();
    }

    private static RuleNode node(String key, List<RuleNode> children) {
        return new RuleNode(key, "", null, RuleNode.Flags.NONE, Map.of(), children);
    }
}
