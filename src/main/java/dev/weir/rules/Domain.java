package dev.weir.rules;

import dev.weir.limit.FailurePolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A domain as its operator writes it.
 *
 * @param name never empty
 * @param nodes the first level of the tree, in file order
 * @param isAtomic whether all counters of the domain live in one place of the store
 * @param onStoreFailure what is answered where the store cannot be asked and a rule does not say it; null if the settings say it
 */
public record Domain(
        String name,
        List<RuleNode> nodes,
        boolean isAtomic,
        @Nullable FailurePolicy onStoreFailure) {

    public Domain {
        nodes = List.copyOf(nodes);
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a domain's name must not be empty");
        }
    }

    /** Returns the domain in which each descriptor's counters have a place of their own. */
    public static Domain of(String name, List<RuleNode> nodes) {
        return new Domain(name, nodes, false, null);
    }
}
