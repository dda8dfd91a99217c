package dev.weir.rules;

import dev.weir.rules.Rule.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A compiled node: its rule, and the nodes below it by key and value. */
final class Node {
    private final @Nullable Origin origin;
    private final @Nullable Rule rule;
    private final Map<String, Branch> branches;

    // In file order. No request needs them, but an explanation does, and the next set of rules.
    private final List<Node> children;

    private Node(@Nullable Origin origin, @Nullable Rule rule, Map<String, Branch> branches, List<Node> children) {
        this.origin = origin;
        this.rule = rule;
        this.branches = branches;
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
        byKey.forEach((key, siblings) -> branches.put(key, Branch.of(siblings)));
        return new Node(origin, rule, slim(branches), List.copyOf(children));
    }

    /** Ten thousand rules make as many maps with one entry or none, and such a hash table weighs 150 bytes. */
    private static <T> Map<String, T> slim(Map<String, T> map) {
        return map.size() < 2 ? Map.copyOf(map) : map;
    }

    @Nullable
    Rule rule() {
        return rule;
    }

    @Nullable
    Node child(String key, String value) {
        Branch branch = branches.get(key);
        return branch == null ? null : branch.child(value);
    }

    /** Returns the nodes below as they were written, in file order. */
    List<Level> below() {
        return children.stream().map(child -> child.origin().level()).toList();
    }

    /** Returns the node below that was written with this very key and value, or null if there is none. */
    @Nullable
    Node writtenAs(String key, String value) {
        Branch branch = branches.get(key);
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
     * @param exact nodes by their value; a pattern is here too, by its own text
     * @param patterns the values with a {@code *}
     * @param any the node with the bare key
     */
    private record Branch(
            Map<String, Node> exact,
            Patterns patterns,
            @Nullable Node any) {

        static Branch of(List<Node> siblings) {
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
            return new Branch(slim(exact), Patterns.of(patterns), any);
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
