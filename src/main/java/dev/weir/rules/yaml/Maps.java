package dev.weir.rules.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * The keys of YAML maps and what they lead to, with {@code <<} resolved: a map's own keys win over merged ones, and of
 * several merged maps the first.
 */
final class Maps {
    private final Report report;
    private final boolean isFree;
    private final Once<Map<String, Field>> once;

    private Maps(Report report, boolean isFree) {
        this.report = report;
        this.isFree = isFree;
        this.once = new Once<>(report);
    }

    /** Maps whose keys are words of the grammar: what YAML takes for a number or a truth value is none. */
    static Maps ofWords(Report report) {
        return new Maps(report, false);
    }

    /** Maps with keys of any kind but lists and maps, taken as text letter by letter. */
    static Maps free(Report report) {
        return new Maps(report, true);
    }

    /** Returns the fields by key: the map's own in file order, then the merged ones. */
    Map<String, Field> fields(MappingNode map) {
        return once.read(map, Map.of(), () -> read(map));
    }

    private Map<String, Field> read(MappingNode map) {
        Map<String, Field> fields = new LinkedHashMap<>();
        List<Node> merged = new ArrayList<>();
        for (var tuple : map.getValue()) {
            String key = key(tuple.getKeyNode());
            if (key == null) {
                continue;
            }
            if (tuple.getKeyNode().getTag().equals(Tag.MERGE)) {
                merged.add(tuple.getValueNode());
                continue;
            }
            Field first = fields.putIfAbsent(key, new Field(tuple.getKeyNode(), tuple.getValueNode()));
            if (first != null) {
                report.mistake(
                        tuple.getKeyNode(),
                        "`%s` is given twice, first at %s; remove one".formatted(key, report.place(first.key())));
            }
        }
        for (Node node : merged) {
            merge(node, fields);
        }
        return fields;
    }

    private @Nullable String key(Node node) {
        if (!(node instanceof ScalarNode scalar)) {
            report.mistake(node, "a key must be text, but this is " + Values.describe(node) + "; write a word");
            return null;
        }
        Tag kind = Scalars.kind(scalar);
        if (isFree || kind.equals(Tag.STR) || kind.equals(Tag.MERGE)) {
            return scalar.getValue();
        }
        report.mistake(
                node,
                "a key must be text, but this is %s; if it is meant as text, put it in quotes: '%s'"
                        .formatted(Values.describe(node), scalar.getValue()));
        return null;
    }

    private void merge(Node node, Map<String, Field> fields) {
        switch (node) {
            case MappingNode map -> fields(map).forEach(fields::putIfAbsent);
            case SequenceNode list
            when list.getValue().stream().allMatch(MappingNode.class::isInstance) -> {
                for (Node map : list.getValue()) {
                    merge(map, fields);
                }
            }
            default ->
                report.mistake(
                        node,
                        "`<<` takes a map or a list of maps, but this is " + Values.describe(node)
                                + "; write an alias such as `<<: *defaults`");
        }
    }

    /**
     * A key and what it leads to.
     *
     * @param key for its place
     * @param value what it leads to
     */
    record Field(Node key, Node value) {}
}
