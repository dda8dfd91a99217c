package dev.weir.rules;

import dev.weir.rules.Rule.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way of a descriptor through a tree.
 *
 * @param landed the node of each entry, up to the first entry that landed nowhere
 * @param below the nodes below the last one, in file order: among these the next entry found no place, or would be sought
 * @param rule the rule on which the descriptor landed, or null if there is none
 */
public record Way(
        List<Level> landed, List<Level> below, @Nullable Rule rule) {

    public Way {
        landed = List.copyOf(landed);
        below = List.copyOf(below);
    }
}
