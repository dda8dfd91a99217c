package dev.weir.rules.yaml;

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
    private final Maps maps;
    private final Once<Sized<Map<String, Object>>> mapsOnce;
    private final Once<Sized<List<Object>>> listsOnce;
    private long piecesWritten;

    /**
     * Prepares the reading of one file's metadata.
     *
     * @param mostMerged how many pieces may come by {@code <<}
     */
    MetadataReader(Report report, long mostMerged) {
        this.maps = Maps.free(report, mostMerged);
        this.mapsOnce = new Once<>(report);
        this.listsOnce = new Once<>(report);
    }

    /** Pieces read so far, without those that aliases and merge keys repeat. */
    long piecesWritten() {
        return piecesWritten;
    }

    /** Returns the map, which nobody can change. */
    Sized<Map<String, Object>> read(Mapping map) {
        return mapsOnce.read(map, new Sized<>(Map.of(), 0), () -> {
            Map<String, Object> values = new LinkedHashMap<>();
            piecesWritten += map.fields().size();
            long size = 0;
            for (var field : maps.fields(map).entrySet()) {
                var value = value(field.getValue().value());
                putNullable(values, field.getKey(), value.value());
                size = Sized.sum(size, value.size());
            }
            return new Sized<>(Collections.unmodifiableMap(values), size);
        });
    }

    private Sized<List<Object>> read(Sequence list) {
        return listsOnce.read(list, new Sized<>(List.of(), 0), () -> {
            List<Object> values = new ArrayList<>();
            piecesWritten += list.elements().size();
            long size = 0;
            for (Node node : list.elements()) {
                var value = value(node);
                addNullable(values, value.value());
                size = Sized.sum(size, value.size());
            }
            return new Sized<>(Collections.unmodifiableList(values), size);
        });
    }

    private Sized<@Nullable Object> value(Node node) {
        return switch (node) {
            case Mapping map -> {
                var read = read(map);
                yield new Sized<>(read.value(), Sized.sum(read.size(), 1));
            }
            case Sequence list -> {
                var read = read(list);
                yield new Sized<>(read.value(), Sized.sum(read.size(), 1));
            }
            case Scalar scalar -> new Sized<>(scalar(scalar), 1);
        };
    }

    private static @Nullable Object scalar(Scalar node) {
        return switch (node.kind()) {
            case NOTHING -> null;
            case TRUTH -> Scalars.isTrue(node.text());
            case INTEGER, FRACTION -> Scalars.number(node.text());
            case TEXT, MERGE -> node.text();
        };
    }

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
