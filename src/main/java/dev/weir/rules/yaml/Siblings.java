package dev.weir.rules.yaml;

import dev.weir.rules.RuleNode;
import java.util.HashMap;
import java.util.Map;
import org.yaml.snakeyaml.nodes.Node;

/** The nodes of one level by key and value: there can be only one of each, in all files of a domain. */
final class Siblings {
    private final Map<Name, String> places = new HashMap<>();

    void add(RuleNode node, Node place, Report report) {
        String first = places.putIfAbsent(new Name(node.key(), node.value()), report.place(place));
        if (first != null) {
            String name = node.value().isEmpty()
                    ? "key `" + node.key() + "` and no value"
                    : "key `" + node.key() + "` and value `" + node.value() + "`";
            report.mistake(
                    place,
                    "an entry with " + name + " stands at " + first + " already; remove one, or make one of both");
        }
    }

    private record Name(String key, String value) {}
}
