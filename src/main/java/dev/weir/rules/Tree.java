package dev.weir.rules;

import dev.weir.limit.FailurePolicy;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.rules.Node.Origin;
import dev.weir.rules.Rule.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The compiled rules of one domain. */
public final class Tree {
    private final String domain;
    private final boolean isAtomic;
    private final @Nullable FailurePolicy onStoreFailure;
    private final Node root;

    private Tree(Domain domain, Node root) {
        this.domain = domain.name();
        this.isAtomic = domain.isAtomic();
        this.onStoreFailure = domain.onStoreFailure();
        this.root = root;
    }

    /**
     * Compiles a whole domain.
     *
     * @param rules the rules of the set so far, to which those of this domain are added
     * @param former the same domain before, or null; what did not change is taken from it
     */
    static Tree compile(Domain domain, List<Rule> rules, @Nullable Tree former) {
        var root = new Compiler(domain.name(), rules).root(domain.nodes(), former == null ? null : former.root);
        return new Tree(domain, root);
    }

    /** Returns the first level, for who reads the rules that come next. */
    FormerLevel former() {
        return FormerLevel.below(root);
    }

    /** Returns the domain's name. */
    public String domain() {
        return domain;
    }

    /** Collects the domain's rules in file order, a node's own before those below it; no request needs them. */
    public List<Rule> rules() {
        List<Rule> rules = new ArrayList<>();
        root.addRules(rules);
        return List.copyOf(rules);
    }

    /**
     * Returns whether all counters of the domain live in one place of the store, so that requests over several
     * descriptors are decided in one step in a cluster too.
     */
    public boolean isAtomic() {
        return isAtomic;
    }

    /** Returns what is answered where the store cannot be asked, by a rule that does not say it; null if the domain does not either. */
    public @Nullable FailurePolicy onStoreFailure() {
        return onStoreFailure;
    }

    /**
     * Returns the rule on which the descriptor lands, or null if there is none.
     *
     * <p>At each level the entry goes to the node with its very key and value, else to the first pattern of its key in
     * file order that fits the value, else to the node with the bare key; there is no way back. Only the node of the
     * last entry counts, and it may be without a rule: that lets the descriptor pass.
     */
    public @Nullable Rule match(Descriptor descriptor) {
        return match(root, descriptor.entries(), 0);
    }

    /**
     * Returns the same for entries of which the first are known to land on these nodes: they are not held against siblings again.
     *
     * @param landed nodes of this tree, one below the other from the first level on
     */
    public @Nullable Rule match(List<Level> landed, List<Entry> entries) {
        Node node = root;
        for (var level : landed) {
            node = Objects.requireNonNull(node.writtenAs(level.key(), level.value()), "it is of another tree");
        }
        return match(node, entries, landed.size());
    }

    private static @Nullable Rule match(Node from, List<Entry> entries, int first) {
        Node node = from;
        for (int i = first; i < entries.size(); i++) { // indexed: an iterator for each descriptor would be garbage
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
            landed.add(next.origin().level());
            node = next;
        }
        return new Way(landed, node.below(), node.rule());
    }

    /**
     * Makes nodes of what is written for one domain. A node that says in the same place what it said before stays, with all below
     * it: ten thousand rules that were made anew would grow old beside those in force, and end in a full collection.
     */
    private static final class Compiler {
        private final String domain;
        private final List<Rule> rules;

        // Many rules of a domain say the same in few ways, and what they share stays in a processor's caches.
        private final Map<String, String> keys = new HashMap<>();
        private final Map<RateLimit, RateLimit> rateLimits = new HashMap<>();

        // The levels down to the node that is being made.
        private final List<Level> path = new ArrayList<>();

        /**
         * Begins a domain.
         *
         * @param rules the rules of the set so far, to which those of this domain are added
         */
        Compiler(String domain, List<Rule> rules) {
            this.domain = domain;
            this.rules = rules;
        }

        /**
         * Returns the root of a tree.
         *
         * @param former the root of the same domain before, or null
         */
        Node root(List<RuleNode> children, @Nullable Node former) {
            return node(null, null, children, former);
        }

        private Node node(
                @Nullable Origin origin, @Nullable Rule rule, List<RuleNode> children, @Nullable Node former) {
            List<Node> nodes = new ArrayList<>(children.size());
            for (var child : children) {
                Node before = former == null ? null : former.writtenAs(child.key(), child.value());
                if (before != null && stays(before, child)) {
                    before.addRules(rules);
                    nodes.add(before);
                } else {
                    nodes.add(made(child, before));
                }
            }
            return Node.of(origin, rule, nodes);
        }

        /** Whether the node says the same, and its rules have the same numbers. */
        private boolean stays(Node before, RuleNode source) {
            Rule first = before.firstRule();
            return (first == null || first.number() == rules.size())
                    && before.origin().source().equals(source);
        }

        private static <T> T shared(Map<T, T> known, T read) {
            T first = known.putIfAbsent(read, read);
            return first == null ? read : first;
        }

        private Node made(RuleNode source, @Nullable Node before) {
            var level = new Level(shared(keys, source.key()), source.value(), source.flags());
            path.addLast(level);
            Rule rule = null;
            if (source.rateLimit() != null) {
                rule = new Rule(rules.size(), domain, path, shared(rateLimits, source.rateLimit()), source.metadata());
                rules.add(rule);
            }
            // Rules know the levels above them, so none stays below another one.
            boolean isSameLevel = before != null && before.origin().level().equals(level);
            Node node = node(new Origin(source, level), rule, source.children(), isSameLevel ? before : null);
            path.removeLast();
            return node;
        }
    }
}
