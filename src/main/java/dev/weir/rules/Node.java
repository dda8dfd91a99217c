package dev.weir.rules;

import dev.weir.rules.Rule.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A compiled node: its rule, and the nodes below it by key and value.
 *
 * <p>Ten thousand rules do not fit into a processor's caches, and each object on a request's way is a wait for memory. So there
 * is no map where one key would be in it; and what requests need are the first fields here, in branches and in rules, as the
 * collector lays an object beside the one whose first field leads to it.
 */
final class Node {
    private final @Nullable Branch lone;
    private final @Nullable Rule rule;
    private final Map<String, Branch> branches;
    private final @Nullable Origin origin;

    // In file order. No request needs them, but an explanation does, and the next set of rules.
    private final List<Node> children;

    private Node(@Nullable Origin origin, @Nullable Rule rule, Map<String, Branch> branches, List<Node> children) {
        this.lone = branches.size() == 1 ? branches.values().iterator().next() : null;
        this.rule = rule;
        this.branches = branches.size() > 1 ? branches : Map.of();
        this.origin = origin;
        this.children = children;
    }

    /**
     * Makes a node.
     *
     * @param origin null for the root of a tree
     */
    static Node of(@Nullable Origin origin, @Nullable Rule rule, List<Node> children) {
        Map<String, List<Node>> byKey = new HashMap<>();
        for (var child : children) {
            byKey.computeIfAbsent(child.origin().level().key(), _ -> new ArrayList<>())
                    .add(child);
        }
        Map<String, Branch> branches = HashMap.newHashMap(byKey.size());
        byKey.forEach((key, siblings) -> branches.put(key, Branch.of(key, siblings)));
        return new Node(origin, rule, branches, List.copyOf(children));
    }

    @Nullable
    Rule rule() {
        return rule;
    }

    @Nullable
    Node child(String key, String value) {
        Branch branch = branch(key);
        return branch == null ? null : branch.child(value);
    }

    private @Nullable Branch branch(String key) {
        if (lone == null) {
            return branches.get(key);
        }
        return lone.key.equals(key) ? lone : null;
    }

    /** Returns the nodes below as they were written, in file order. */
    List<Level> below() {
        return children.stream().map(child -> child.origin().level()).toList();
    }

    /** Returns the node below that was written with this very key and value, or null if there is none. */
    @Nullable
    Node writtenAs(String key, String value) {
        Branch branch = branch(key);
        return branch == null ? null : value.isEmpty() ? branch.any : branch.exact.get(value);
    }

    /**
     * Returns what the node was made of.
     *
     * @throws IllegalStateException for the root of a tree, which nobody writes
     */
    Origin origin() {
        if (origin == null) {
            throw new IllegalStateException("the root is not written");
        }
        return origin;
    }

    /** Returns the first rule here and below, in file order, or null if there is none. */
    @Nullable
    Rule firstRule() {
        Rule first = rule;
        for (int i = 0; first == null && i < children.size(); i++) {
            first = children.get(i).firstRule();
        }
        return first;
    }

    /** Adds the rules here and below, in file order. */
    void addRules(List<Rule> rules) {
        if (rule != null) {
            rules.add(rule);
        }
        for (var child : children) {
            child.addRules(rules);
        }
    }

    /**
     * What a node was made of.
     *
     * @param source with all below it
     * @param level the same without
     */
    record Origin(RuleNode source, Level level) {}

    /**
     * The siblings that have one key.
     *
     * @param any the node with the bare key
     * @param key all of them have it
     * @param exact nodes by their value; a pattern is here too, by its own text
     * @param patterns the values with a {@code *}
     */
    private record Branch(@Nullable Node any, String key, Map<String, Node> exact, Patterns patterns) {

        static Branch of(String key, List<Node> siblings) {
            Map<String, Node> exact = HashMap.newHashMap(siblings.size());
            List<Node> patterns = new ArrayList<>();
            for (var child : siblings) {
                var written = child.origin().level();
                if (exact.put(written.value(), child) != null) {
                    throw new IllegalArgumentException(
                            "two siblings with key '" + written.key() + "' and value '" + written.value() + "'");
                }
                if (written.isPattern()) {
                    patterns.add(child);
                }
            }
            Node any = exact.remove(""); // a request's empty value is no exact match: patterns are asked before
            return new Branch(any, key, slim(exact), Patterns.of(patterns));
        }

        /** Ten thousand rules make as many maps with one entry or none, and such a hash table weighs 150 bytes. */
        private static Map<String, Node> slim(Map<String, Node> map) {
            return map.size() < 2 ? Map.copyOf(map) : map;
        }

        @Nullable
        Node child(String value) {
            Node node = exact.get(value);
            if (node == null) {
                node = patterns.first(value);
            }
            return node == null ? any : node;
        }
    }
}
