package dev.weir.rules;

import dev.weir.request.Descriptor;
import dev.weir.rules.Rule.Level;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The compiled rules of one domain. */
public final class Tree {
    private final String domain;
    private final boolean isAtomic;
    private final Node root;
    private final List<Rule> rules;

    private Tree(String domain, boolean isAtomic, Node root, List<Rule> rules) {
        this.domain = domain;
        this.isAtomic = isAtomic;
        this.root = root;
        this.rules = rules;
    }

    /**
     * Compiles a whole domain.
     *
     * @param rules the rules of the set so far, to which those of this domain are added
     */
    static Tree compile(Domain domain, List<Rule> rules) {
        int first = rules.size();
        var root = below(domain.name(), domain.nodes(), null, new ArrayList<>(), rules);
        return new Tree(domain.name(), domain.isAtomic(), root, List.copyOf(rules.subList(first, rules.size())));
    }

    /** Returns the domain's name. */
    public String domain() {
        return domain;
    }

    /** Returns the domain's rules in file order, a node's own before those below it. */
    public List<Rule> rules() {
        return rules;
    }

    /**
     * Returns whether all counters of the domain live in one place of the store, so that requests over several
     * descriptors are decided in one step in a cluster too.
     */
    public boolean isAtomic() {
        return isAtomic;
    }

    /**
     * Returns the rule on which the descriptor lands, or null if there is none.
     *
     * <p>At each level the entry goes to the node with its very key and value, else to the first pattern of its key in
     * file order that fits the value, else to the node with the bare key; there is no way back. Only the node of the
     * last entry counts, and it may be without a rule: that lets the descriptor pass.
     */
    public @Nullable Rule match(Descriptor descriptor) {
        var entries = descriptor.entries();
        Node node = root;
        for (int i = 0; i < entries.size(); i++) { // indexed: an iterator for each descriptor would be garbage
            var entry = entries.get(i);
            Node next = node.child(entry.key(), entry.value());
            if (next == null) {
                return null;
            }
            node = next;
        }
        return node.rule();
    }

    /** Returns the way that {@link #match} takes with the descriptor, for people who wonder. */
    public Way way(Descriptor descriptor) {
        List<Level> landed = new ArrayList<>();
        Node node = root;
        for (var entry : descriptor.entries()) {
            Node next = node.child(entry.key(), entry.value());
            if (next == null) {
                return new Way(landed, node.below(), null);
            }
            landed.add(node.written(next));
            node = next;
        }
        return new Way(landed, node.below(), node.rule());
    }

    /**
     * Compiles one level of the tree and those below it.
     *
     * @param path the levels down to here; left as it was
     * @param rules where the rules found are added
     */
    private static Node below(
            String domain, List<RuleNode> children, @Nullable Rule rule, List<Level> path, List<Rule> rules) {
        List<Node.Child> compiled = new ArrayList<>(children.size());
        for (var child : children) {
            var level = new Level(child.key(), child.value(), child.flags());
            path.addLast(level);
            Rule own = null;
            if (child.rateLimit() != null) {
                own = new Rule(rules.size(), domain, path, child.rateLimit(), child.metadata());
                rules.add(own);
            }
            compiled.add(new Node.Child(level, below(domain, child.children(), own, path, rules)));
            path.removeLast();
        }
        return Node.of(rule, compiled);
    }
}
