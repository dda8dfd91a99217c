package dev.weir.rules;

import dev.weir.rules.Rule.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A compiled node: its rule, and the nodes below it by key and value. */
final class Node {
    private final @Nullable Rule rule;
    private final Map<String, Branch> branches;

    // What no request needs, but an explanation does.
    private final List<Child> children;

    private Node(@Nullable Rule rule, Map<String, Branch> branches, List<Child> children) {
        this.rule = rule;
        this.branches = branches;
        this.children = children;
    }

    static Node of(@Nullable Rule rule, List<Child> children) {
        Map<String, List<Child>> byKey = new HashMap<>();
        for (var child : children) {
            byKey.computeIfAbsent(child.written().key(), _ -> new ArrayList<>()).add(child);
        }
        Map<String, Branch> branches = HashMap.newHashMap(byKey.size());
        byKey.forEach((key, siblings) -> branches.put(key, Branch.of(siblings)));
        return new Node(rule, slim(branches), List.copyOf(children));
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
        return children.stream().map(Child::written).toList();
    }

    /** Returns how the node below, which {@link #child} found here, was written. */
    Level written(Node below) {
        for (Child child : children) {
            if (child.node == below) {
                return child.written;
            }
        }
        throw new IllegalArgumentException("a node of another level");
    }

    /** A node as it was written, and compiled. */
    record Child(Level written, Node node) {}

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

        static Branch of(List<Child> siblings) {
            Map<String, Node> exact = HashMap.newHashMap(siblings.size());
            List<Child> patterns = new ArrayList<>();
            for (var child : siblings) {
                var written = child.written();
                if (exact.put(written.value(), child.node()) != null) {
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
