package dev.weir.rules.yaml;

import dev.weir.rules.Checks;
import dev.weir.rules.yaml.Node.Mapping;
import dev.weir.rules.yaml.Node.Scalar;
import dev.weir.rules.yaml.Node.Sequence;
import dev.weir.rules.yaml.Once.Sized;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code metadata}: strings, numbers, truth values, nothing, lists and maps, as they come. */
final class MetadataReader {
    private static final String TOO_DEEP = "`metadata` is more than " + Checks.MOST_METADATA_LEVELS
            + " maps and lists deep from here, deeper than callers read; write it flatter";

    private static final int TOLD = Integer.MAX_VALUE;

    private final Report report;
    private final Maps maps;
    private final DescriptorRoom room;
    private final Once<Piece<Map<String, Object>>> mapsOnce;
    private final Once<Piece<List<Object>>> listsOnce;

    /** Prepares the reading of one file's metadata. */
    MetadataReader(Report report, DescriptorRoom room) {
        this.report = report;
        this.room = room;
        this.maps = Maps.free(report, room.repeatedLeft());
        this.mapsOnce = new Once<>(report);
        this.listsOnce = new Once<>(report);
    }

    /** Returns the map, which nobody can change. */
    Sized<Map<String, Object>> read(Mapping map) {
        var read = piece(map);
        return new Sized<>(read.value, read.size);
    }

    private Piece<Map<String, Object>> piece(Mapping map) {
        return mapsOnce.read(map, new Piece<>(Map.of(), 0, 0), () -> {
            Map<String, Object> values = new LinkedHashMap<>();
            room.metadata(map.fields().size(), map);
            long size = 0;
            int levels = 0;
            for (var field : maps.fields(map).entrySet()) {
                var value = value(field.getValue().value());
                putNullable(values, field.getKey(), value.value);
                size = Sized.sum(size, value.size);
                levels = Math.max(levels, value.levels);
            }
            return new Piece<>(Collections.unmodifiableMap(values), size, oneMore(levels, map));
        });
    }

    private Piece<List<Object>> piece(Sequence list) {
        return listsOnce.read(list, new Piece<>(List.of(), 0, 0), () -> {
            List<Object> values = new ArrayList<>();
            room.metadata(list.elements().size(), list);
            long size = 0;
            int levels = 0;
            for (Node node : list.elements()) {
                var value = value(node);
                addNullable(values, value.value);
                size = Sized.sum(size, value.size);
                levels = Math.max(levels, value.levels);
            }
            return new Piece<>(Collections.unmodifiableList(values), size, oneMore(levels, list));
        });
    }

    /** Counts a map or a list to the levels in it. Where they are too many it is told, and not again in what that stands in. */
    private int oneMore(int levels, Node node) {
        if (levels < Checks.MOST_METADATA_LEVELS) {
            return levels + 1;
        }
        if (levels != TOLD) {
            report.mistake(node, TOO_DEEP);
        }
        return TOLD;
    }

    private Piece<@Nullable Object> value(Node node) {
        return switch (node) {
            case Mapping map -> {
                var read = piece(map);
                yield new Piece<>(read.value, Sized.sum(read.size, 1), read.levels);
            }
            case Sequence list -> {
                var read = piece(list);
                yield new Piece<>(read.value, Sized.sum(read.size, 1), read.levels);
            }
            case Scalar scalar -> new Piece<>(scalar(scalar), 1, 0);
        };
    }

    private @Nullable Object scalar(Scalar node) {
        return switch (node.kind()) {
            case NOTHING -> null;
            case TRUTH -> Scalars.isTrue(node.text());
            case INTEGER, FRACTION -> number(node);
            case TEXT, MERGE -> node.text();
        };
    }

    private double number(Scalar node) {
        double number = Scalars.number(node.text());
        String wrong = Checks.metadataNumber(number, Values.shortened(node.text()));
        if (wrong != null) {
            report.mistake(node, wrong);
        }
        return number;
    }

    /**
     * A part of metadata.
     *
     * @param size as {@link Sized} counts
     * @param levels maps and lists inside of each other, itself the first; {@link #TOLD} if they are too many
     */
    private record Piece<T extends @Nullable Object>(T value, long size, int levels) {}

    @SuppressWarnings(
            "NullAway") // the value may be null as everywhere in free metadata; Map<String, Object> cannot say so
    private static void putNullable(Map<String, Object> map, String key, @Nullable Object value) {
        map.put(key, value);
    }

    @SuppressWarnings("NullAway") // as above
    private static void addNullable(List<Object> list, @Nullable Object value) {
        list.add(value);
    }
}
