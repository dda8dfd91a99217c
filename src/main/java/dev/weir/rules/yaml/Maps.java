package dev.weir.rules.yaml;

import dev.weir.rules.Mistake;
import dev.weir.rules.yaml.Node.Field;
import dev.weir.rules.yaml.Node.Kind;
import dev.weir.rules.yaml.Node.Mapping;
import dev.weir.rules.yaml.Node.Scalar;
import dev.weir.rules.yaml.Node.Sequence;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The keys of YAML maps and what they lead to, with {@code <<} resolved: a map's own keys win over merged ones, and of
 * several merged maps the first.
 *
 * <p>That is what YAML says. The Go service's parser sets what it meets in file order, a merged word where its {@code <<}
 * stands, and the last one wins; and where a map is set twice, it leaves what the second one does not say. Files on which both
 * do not agree are refused.
 *
 * <p>What is merged is a map of its own each time: four hundred lines that merge one map of five thousand entries come to two
 * million. So entries are counted while they are merged, and a file that goes too far is read no further: afterwards would be
 * too late for the memory.
 */
final class Maps {
    /** No map of the grammar has more words; so many may come by {@code <<} into each that is written, and are not counted. */
    static final int WORDS_OF_A_MAP = 16;

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
        return new Maps(report, false, DescriptorRoom.MOST_REPEATED);
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
                        "`%s` is given twice, first at %s; remove one"
                                .formatted(Mistake.quoted(key), report.place(first.key())));
            }
        }
        if (!merges.isEmpty() && !isFree) {
            left += WORDS_OF_A_MAP;
        }
        Map<Field, List<Map<String, Field>>> brought = new HashMap<>();
        for (var each : merges) {
            var maps = merged(each.key(), each.value());
            brought.put(each, maps);
            maps.forEach(one -> one.forEach(fields::putIfAbsent));
        }
        if (!merges.isEmpty()) {
            refuseOtherwiseRead(map, brought, fields);
        }
        return fields;
    }

    /** Reports what the Go service's parser would make something else of. */
    private void refuseOtherwiseRead(
            Mapping map, Map<Field, List<Map<String, Field>>> brought, Map<String, Field> fields) {
        Map<String, Setting> last = new HashMap<>();
        Map<String, List<Mapping>> before = new LinkedHashMap<>();
        BiConsumer<String, Setting> set = (key, setting) -> {
            var former = last.put(key, setting);
            if (Values.isNothing(setting.field.value())) {
                before.remove(key);
            } else if (former != null && !isFree && former.field.value() instanceof Mapping overlaid) {
                before.computeIfAbsent(key, _ -> new ArrayList<>()).add(overlaid);
            }
        };
        for (var field : map.fields()) {
            var maps = brought.get(field);
            if (maps != null) {
                maps.reversed()
                        .forEach(one -> one.forEach((key, merged) -> set.accept(key, new Setting(merged, field))));
            } else if (field.key() instanceof Scalar scalar && field.equals(fields.get(scalar.text()))) {
                set.accept(scalar.text(), new Setting(field, field));
            }
        }
        Set<Field> own = new HashSet<>(map.fields());
        Set<Field> told = new HashSet<>();
        fields.forEach((key, ours) -> {
            var theirs = last.get(key);
            if (theirs != null && !isSame(theirs.field.value(), ours.value()) && told.add(theirs.by)) {
                refuseOrder(key, ours, theirs, own.contains(ours));
            }
        });
        before.forEach((key, overlaid) -> refuseLeftOver(key, fields, overlaid));
    }

    /** Returns whether it does not matter which of the two is taken. */
    private boolean isSame(Node one, Node other) {
        if (!isFree && saysNothing(one) && saysNothing(other)) {
            return true;
        }
        if (one instanceof Scalar first && other instanceof Scalar second && first.kind() == second.kind()) {
            return first.kind() == Kind.TRUTH
                    ? Scalars.isTrue(first.text()) == Scalars.isTrue(second.text())
                    : first.text().equals(second.text());
        }
        return one == other;
    }

    /** Returns whether a word that leads to this may as well not be there. */
    private static boolean saysNothing(Node node) {
        return node instanceof Scalar scalar
                ? scalar.kind() == Kind.NOTHING || scalar.text().isEmpty()
                : node instanceof Sequence list && list.isEmpty();
    }

    private void refuseOrder(String key, Field ours, Setting theirs, boolean isOwn) {
        report.mistake(
                theirs.by.key(),
                "this `<<` brings a `%s` (%s) behind the one %s, and envoyproxy/ratelimit takes the last one; write %s"
                        .formatted(
                                Mistake.quoted(key),
                                report.place(theirs.field.key()),
                                isOwn
                                        ? "at " + report.place(ours.key())
                                        : "that another brings (" + report.place(ours.key()) + ")",
                                isOwn
                                        ? "`<<` before all other words of its map"
                                        : "one `<<: [*first, *second]`, of which the first wins"));
    }

    /** Reports words that merged maps have and the one that stands in their place does not. */
    private void refuseLeftOver(String key, Map<String, Field> fields, List<Mapping> overlaid) {
        Field field = fields.get(key);
        if (field == null || !(field.value() instanceof Mapping map)) {
            return;
        }
        var leftOver = new LinkedHashMap<String, Field>();
        overlaid.forEach(each -> leftOver.putAll(keys(field.key(), each)));
        leftOver.keySet().removeAll(keys(field.key(), map).keySet());
        leftOver.forEach((word, left) -> {
            if (key.equals(Word.METADATA.text()) || !saysNothing(left.value())) {
                report.mistake(
                        field.key(),
                        ("no `%1$s` stands in this `%2$s`, but in one that is merged (%3$s), which envoyproxy/ratelimit keeps; write"
                                        + " `%1$s` here, too, or `%1$s:` for none")
                                .formatted(Mistake.quoted(word), Mistake.quoted(key), report.place(left.key())));
            }
        });
    }

    /** Returns the keys of a map and of all that it merges, whatever they are, each where it stands first. */
    private Map<String, Field> keys(Node place, Mapping map) {
        Map<String, Field> keys = new LinkedHashMap<>();
        Set<Node> seen = new HashSet<>();
        Deque<Node> waiting = new ArrayDeque<>(List.of(map));
        while (!waiting.isEmpty()) {
            Node next = waiting.remove();
            if (!seen.add(next)) {
                continue;
            }
            spend(place, Math.max(0, next.parts().size() / 2 - WORDS_OF_A_MAP));
            switch (next) {
                case Mapping merged -> {
                    for (var field : merged.fields()) {
                        if (field.key() instanceof Scalar key && key.kind() != Kind.MERGE) {
                            keys.putIfAbsent(key.text(), field);
                        } else {
                            waiting.add(field.value());
                        }
                    }
                }
                case Sequence list -> waiting.addAll(list.elements());
                case Scalar _ -> {} // nothing to merge
            }
        }
        return keys;
    }

    /** A field as the Go service sets it, and what sets it: itself, or the merge key that brings it. */
    private record Setting(Field field, Field by) {}

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
                        .formatted(Values.describe(node), Mistake.quoted(scalar.text())));
        return null;
    }

    /** Returns what is merged, map by map. */
    private List<Map<String, Field>> merged(Node place, Node node) {
        var maps = node instanceof Sequence list ? list.elements() : List.of(node);
        spend(place, node instanceof Sequence ? maps.size() : 0);
        if (!maps.stream().allMatch(Mapping.class::isInstance)) {
            refuse(node);
            return List.of();
        }
        return maps.stream().map(map -> merged(place, (Mapping) map)).toList();
    }

    private Map<String, Field> merged(Node place, Mapping map) {
        var fields = fields(map);
        spend(place, fields.size());
        return fields;
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
