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
 *
 * <p>What is merged is a map of its own each time: four hundred lines that merge one map of five thousand entries come to two
 * million. So entries are counted while they are merged, and a file that goes too far is read no further: afterwards would be
 * too late for the memory.
 */
final class Maps {
    /** No map of the grammar has more words; so many may come by {@code <<} into each that is written, and are not counted. */
    private static final int WORDS_OF_A_MAP = 16;

    private final Report report;
    private final boolean isFree;
    private final Once<Map<String, Field>> once;
    private long left;

    private Maps(Report report, boolean isFree, long left) {
        this.report = report;
        this.isFree = isFree;
        this.once = new Once<>(report);
        this.left = left;
    }

    /** Maps whose keys are words of the grammar: what YAML takes for a number or a truth value is none. */
    static Maps ofWords(Report report) {
        return new Maps(report, false, YamlRules.MOST_REPEATED);
    }

    /**
     * Maps with keys of any kind but lists and maps, taken as text letter by letter.
     *
     * @param mostMerged how many entries may come by {@code <<}
     */
    static Maps free(Report report, long mostMerged) {
        return new Maps(report, true, mostMerged);
    }

    /**
     * Counts what is read anew for each alias that leads to it.
     *
     * @param size words or entries; so many as a map has words are not counted
     * @throws RepeatedTooOftenException as {@link #fields} does
     */
    void repeated(Node node, int size) {
        if (node.isShared()) {
            spend(node, Math.max(0, size - WORDS_OF_A_MAP));
        }
    }

    private void spend(Node place, long entries) {
        left -= entries;
        if (left < 0) {
            throw new RepeatedTooOftenException(place);
        }
    }

    /**
     * Returns the fields by key: the map's own in file order, then the merged ones.
     *
     * @throws RepeatedTooOftenException if too much was merged in this file
     */
    Map<String, Field> fields(Mapping map) {
        return once.read(map, Map.of(), () -> read(map));
    }

    private Map<String, Field> read(Mapping map) {
        Map<String, Field> fields = new LinkedHashMap<>();
        List<Field> merges = new ArrayList<>();
        for (var field : map.fields()) {
            String key = key(field.key());
            if (key == null) {
                continue;
            }
            if (field.key() instanceof Scalar scalar && scalar.kind() == Kind.MERGE) {
                merges.add(field);
                continue;
            }
            Field first = fields.putIfAbsent(key, field);
            if (first != null) {
                report.mistake(
                        field.key(),
                        "`%s` is given twice, first at %s; remove one".formatted(key, report.place(first.key())));
            }
        }
        if (!merges.isEmpty() && !isFree) {
            left += WORDS_OF_A_MAP;
        }
        for (var each : merges) {
            merge(each.key(), each.value(), fields);
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

    private void merge(Node place, Node node, Map<String, Field> fields) {
        switch (node) {
            case Mapping map -> {
                var merged = fields(map);
                spend(place, merged.size());
                merged.forEach(fields::putIfAbsent);
            }
            case Sequence list -> {
                spend(place, list.elements().size());
                if (list.elements().stream().allMatch(Mapping.class::isInstance)) {
                    list.elements().forEach(map -> merge(place, map, fields));
                } else {
                    refuse(list);
                }
            }
            case Scalar scalar -> refuse(scalar);
        }
    }

    private void refuse(Node merged) {
        report.mistake(
                merged,
                "`<<` takes a map or a list of maps, but this is " + Values.describe(merged)
                        + "; write an alias such as `<<: *defaults`");
    }

    /** Aliases and merge keys repeat too much. */
    static final class RepeatedTooOftenException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient Node place;

        private RepeatedTooOftenException(Node place) {
            super(null, null, false, false);
            this.place = place;
        }

        /** Returns the alias's map or list, or the merge key, that was one too many. */
        Node place() {
            return place;
        }
    }
}
