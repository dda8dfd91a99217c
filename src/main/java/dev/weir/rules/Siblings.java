package dev.weir.rules;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The nodes of one level by key and value: there can be only one of each, in all that a domain is made of. */
public final class Siblings {
    private final Map<Name, String> places = new HashMap<>();

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

    private record Name(String key, String value) {}
}
