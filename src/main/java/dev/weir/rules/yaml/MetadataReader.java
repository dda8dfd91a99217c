package dev.weir.rules.yaml;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads {@code metadata}: strings, numbers, truth values, nothing, lists and maps, as they come. */
final class MetadataReader {
    private final Maps maps;
    private final Once<Sized<Map<String, Object>>> mapsOnce;
    private final Once<Sized<List<Object>>> listsOnce;
    private long nodesRead;

    MetadataReader(Report report) {
        this.maps = Maps.free(report);
        this.mapsOnce = new Once<>(report);
        this.listsOnce = new Once<>(report);
    }

    /** Pieces read so far, those behind several aliases once. */
    long nodesRead() {
        return nodesRead;
    }

    /** Returns the map, which nobody can change. */
    Sized<Map<String, Object>> read(MappingNode map) {
        return mapsOnce.read(map, new Sized<>(Map.of(), 0), () -> {
            Map<String, Object> values = new LinkedHashMap<>();
            long size = 0;
            for (var field : maps.fields(map).entrySet()) {
                var value = value(field.getValue().value());
                putNullable(values, field.getKey(), value.value());
                size = Sized.sum(size, value.size());
            }
            return new Sized<>(Collections.unmodifiableMap(values), size);
        });
    }

    private Sized<List<Object>> read(SequenceNode list) {
        return listsOnce.read(list, new Sized<>(List.of(), 0), () -> {
            List<Object> values = new ArrayList<>();
            long size = 0;
            for (Node node : list.getValue()) {
                var value = value(node);
                addNullable(values, value.value());
                size = Sized.sum(size, value.size());
            }
            return new Sized<>(Collections.unmodifiableList(values), size);
        });
    }

    private Sized<@Nullable Object> value(Node node) {
        nodesRead++;
        return switch (node) {
            case MappingNode map -> {
                var read = read(map);
                yield new Sized<>(read.value(), Sized.sum(read.size(), 1));
            }
            case SequenceNode list -> {
                var read = read(list);
                yield new Sized<>(read.value(), Sized.sum(read.size(), 1));
            }
            case ScalarNode scalar -> new Sized<>(scalar(scalar), 1);
            default -> throw new IllegalStateException("a composed graph has no " + node.getNodeId());
        };
    }

    private static @Nullable Object scalar(ScalarNode node) {
        return switch (Scalars.kind(node).getValue().replaceFirst(".*:", "")) {
            case "null" -> null;
            case "bool" -> Scalars.isTrue(node.getValue());
            case "int", "float" -> Scalars.number(node.getValue());
            default -> node.getValue();
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
