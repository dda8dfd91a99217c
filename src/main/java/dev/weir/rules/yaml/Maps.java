package dev.weir.rules.yaml;

import dev.weir.rules.yaml.Node.Field;
import dev.weir.rules.yaml.Node.Kind;
import dev.weir.rules.yaml.Node.Mapping;
import dev.weir.rules.yaml.Node.Scalar;
import dev.weir.rules.yaml.Node.Sequence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
    Map<String, Field> fields(Mapping map) {
        return once.read(map, Map.of(), () -> read(map));
    }

    private Map<String, Field> read(Mapping map) {
        Map<String, Field> fields = new LinkedHashMap<>();
        List<Node> merged = new ArrayList<>();
        for (var field : map.fields()) {
            String key = key(field.key());
            if (key == null) {
                continue;
            }
            if (field.key() instanceof Scalar scalar && scalar.kind() == Kind.MERGE) {
                merged.add(field.value());
                continue;
            }
            Field first = fields.putIfAbsent(key, field);
            if (first != null) {
                report.mistake(
                        field.key(),
                        "`%s` is given twice, first at %s; remove one".formatted(key, report.place(first.key())));
            }
        }
        for (Node node : merged) {
            merge(node, fields);
        }
        return fields;
    }

    private @Nullable String key(Node node) {
        if (!(node instanceof Scalar scalar)) {
            report.mistake(node, "a key must be text, but this is " + Values.describe(node) + "; write a word");
            return null;
        }
        Kind kind = scalar.kind();
        if (isFree || kind == Kind.TEXT || kind == Kind.MERGE) {
            return scalar.text();
        }
        report.mistake(
                node,
                "a key must be text, but this is %s; if it is meant as text, put it in quotes: '%s'"
                        .formatted(Values.describe(node), scalar.text()));
        return null;
    }

    private void merge(Node node, Map<String, Field> fields) {
        switch (node) {
            case Mapping map -> fields(map).forEach(fields::putIfAbsent);
            case Sequence list
            when list.elements().stream().allMatch(Mapping.class::isInstance) -> {
                for (Node map : list.elements()) {
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
}
