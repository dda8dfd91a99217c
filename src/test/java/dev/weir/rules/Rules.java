package dev.weir.rules;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import java.util.List;
import java.util.Map;

/** Short words for rules and requests in tests. */
final class Rules {
    private static final RateLimit FIVE_A_SECOND = RateLimit.of(Limit.fixedWindow(Quota.per(Unit.SECOND, 5)));

    private Rules() {}

    /** A node with a rule. */
    static RuleNode rule(String key, String value, RuleNode... children) {
        return new RuleNode(key, value, FIVE_A_SECOND, RuleNode.Flags.NONE, Map.of(), List.of(children));
    }

    /** A node without a rule. */
    static RuleNode node(String key, String value, RuleNode... children) {
        return new RuleNode(key, value, null, RuleNode.Flags.NONE, Map.of(), List.of(children));
    }

    /** The node, with {@code share_threshold}. */
    static RuleNode shared(RuleNode node) {
        var flags = new RuleNode.Flags(false, false, false, false, true, null);
        return new RuleNode(node.key(), node.value(), node.rateLimit(), flags, node.metadata(), node.children());
    }

    static Tree tree(RuleNode... nodes) {
        var tree = RuleSet.of(List.of(Domain.of("shop", List.of(nodes)))).domain("shop");
        if (tree == null) {
            throw new AssertionError("the domain is lost");
        }
        return tree;
    }

    /** A descriptor of keys and values in turn. */
    static Descriptor descriptor(String... keysAndValues) {
        var entries = new Entry[keysAndValues.length / 2];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = new Entry(keysAndValues[2 * i], keysAndValues[2 * i + 1]);
        }
        return Descriptor.of(entries);
    }

    /** The path of the rule on which the descriptor lands, or "none". */
    static String landing(Tree tree, String... keysAndValues) {
        var rule = tree.match(descriptor(keysAndValues));
        return rule == null ? "none" : rule.path();
    }
}
