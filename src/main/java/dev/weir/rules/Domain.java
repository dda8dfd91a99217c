package dev.weir.rules;

import java.util.List;

/**
 * A domain as its operator writes it.
 *
 * @param name never empty
 * @param nodes the first level of the tree, in file order
 */
public record Domain(String name, List<RuleNode> nodes) {

    public Domain {
        nodes = List.copyOf(nodes);
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a domain's name must not be empty");
        }
    }
}
