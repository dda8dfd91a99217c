package dev.weir.rules;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The nodes of one level by key and value: there can be only one of each, in all that a domain is made of. */
public final class Siblings {
    private static final TreeMap<String, String> NO_PATTERNS = new TreeMap<>();

    private final Map<Name, String> places = new HashMap<>();

    // The patterns of each key whose only stars are at their end, by the text before. None of those texts begins with
    // another, so that a text begins at most with the one that its place among them follows.
    private final Map<String, TreeMap<String, String>> widest = new HashMap<>();

    /** Adds a node; returns the mistake if there is one like it already, else null. */
    public @Nullable String add(RuleNode node, String place) {
        String first = places.putIfAbsent(new Name(node.key(), node.value()), place);
        if (first == null) {
            return null;
        }
        String key = Mistake.quoted(node.key());
        String name = node.value().isEmpty()
                ? "key `" + key + "` and no value"
                : "key `" + key + "` and value `" + Mistake.quoted(node.value()) + "`";
        return "an entry with " + name + " stands at " + first + " already; remove one, or make one of both";
    }

    /**
     * Returns the remark if this node takes all requests from one before, or such a one takes all of its own; else null. What is
     * found is what people write: a pattern behind one that is the same text, cut off sooner, and a bare key beside {@code *}.
     *
     * @param node the one that was added last
     */
    public @Nullable String hidden(RuleNode node) {
        int star = node.value().indexOf('*');
        if (star < 0) {
            return node.value().isEmpty() ? bareBesideStar(node.key()) : null;
        }
        String start = node.value().substring(0, star);
        var wide = widest.computeIfAbsent(node.key(), _ -> new TreeMap<>());
        var before = wide.floorEntry(start);
        if (before != null && start.startsWith(before.getKey())) {
            return "no request meets the value `%s`: the pattern `%s` at %s comes first and fits all that this one fits; put this one"
                            .formatted(
                                    Mistake.quoted(node.value()),
                                    Mistake.quoted(before.getValue()),
                                    places.get(new Name(node.key(), before.getValue())))
                    + " before that, or remove it";
        }
        if (node.value().chars().skip(star).anyMatch(c -> c != '*')) {
            return null;
        }
        for (String next = wide.ceilingKey(start);
                next != null && next.startsWith(start);
                next = wide.ceilingKey(start)) {
            wide.remove(next);
        }
        wide.put(start, node.value());
        return start.isEmpty() ? bareBesideStar(node.key()) : null;
    }

    private @Nullable String bareBesideStar(String key) {
        String bare = places.get(new Name(key, ""));
        String star = widest.getOrDefault(key, NO_PATTERNS).get("");
        return bare == null || star == null
                ? null
                : "no request meets the bare key `%s` at %s: the pattern `%s` at %s comes first, wherever it stands, and fits every value;"
                                .formatted(
                                        Mistake.quoted(key),
                                        bare,
                                        Mistake.quoted(star),
                                        places.get(new Name(key, star)))
                        + " remove one of them";
    }

    private record Name(String key, String value) {}
}
