package dev.weir.rules.yaml;

import dev.weir.rules.Mistake;
import dev.weir.rules.yaml.Node.Field;
import dev.weir.rules.yaml.Node.Mapping;
import dev.weir.rules.yaml.Word.Place;
import dev.weir.words.Nearest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The words of one map of a rule file. What is no word, or not one of this place, is reported. */
final class Fields {
    private final Mapping map;
    private final Report report;
    private final Map<Word, Field> fields = new EnumMap<>(Word.class);
    private final Set<String> refused = new HashSet<>();

    Fields(Place place, Mapping map, Maps maps, Report report) {
        this.map = map;
        this.report = report;
        var read = maps.fields(map);
        maps.repeated(map, read.size());
        read.forEach((text, field) -> {
            Word word = Word.at(place, text);
            if (word == null) {
                report.mistake(field.key(), refusal(place, text));
            } else {
                fields.put(word, field);
            }
        });
    }

    /** Reports that a word is missing, unless it was refused here or a slip of it was: one mistake is told once. */
    void missing(Word word, String message) {
        if (!refused.contains(word.text())) {
            report.mistake(key(word), message);
        }
    }

    /** Reports that all of these words are missing, unless one of them or a slip of it was refused here. */
    void missing(List<Word> words, String message) {
        if (words.stream().noneMatch(word -> refused.contains(word.text()))) {
            report.mistake(map, message);
        }
    }

    /** Returns what the word leads to, or null if it is not there. */
    @Nullable
    Node value(Word word) {
        var field = fields.get(word);
        return field == null ? null : field.value();
    }

    /** Returns what the word leads to, or null if it is not there or leads to nothing. */
    @Nullable
    Node given(Word word) {
        Node node = value(word);
        return node == null || Values.isNothing(node) ? null : node;
    }

    /** Returns the place of the word if it is there, else that of the map. */
    Node key(Word word) {
        var field = fields.get(word);
        return field == null ? map : field.key();
    }

    private String refusal(Place place, String text) {
        var homes = Word.placesOf(text);
        if (!homes.isEmpty()) {
            refused.add(text);
            String where = homes.stream().map(Place::toString).collect(Collectors.joining(" or "));
            return "`%s` does not belong %s; write it %s".formatted(text, place, where);
        }
        var here = Word.textsAt(place);
        String near = Nearest.to(text, here);
        if (near != null) {
            refused.add(near);
            return "unknown key `%s`; did you mean `%s`?".formatted(text, near);
        }
        List<String> all = new ArrayList<>();
        for (var other : Place.values()) {
            all.addAll(Word.textsAt(other));
        }
        near = Nearest.to(text, all);
        if (near != null) {
            String where = Word.placesOf(near).stream().map(Place::toString).collect(Collectors.joining(" or "));
            return "unknown key `%s`; did you mean `%s`, %s?".formatted(text, near, where);
        }
        String known = here.stream().map(word -> "`" + word + "`").collect(Collectors.joining(", "));
        return "unknown key `%s`; %s there can be %s".formatted(Mistake.quoted(text), place, known);
    }
}
