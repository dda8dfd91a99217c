package dev.weir.metrics;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * A file of mappings for the Go service's exporter. Weir maps by itself, to the names and labels of the default mapping; a file
 * that says the same may stay, and one that drops what Weir does not tell anyway.
 */
public final class MapperFile {
    private MapperFile() {}

    /**
     * Returns the metrics and labels that the file gives and Weir does not, in the order of the file.
     *
     * @throws IOException if there is no such file, or it cannot be read
     */
    public static List<String> foreignNames(Path file) throws IOException {
        Object mappings = map(read(file)).get("mappings");
        return (mappings instanceof List<?> list ? list : List.of())
                .stream()
                        .map(MapperFile::map)
                        .filter(mapping -> !"drop".equals(mapping.get("action")))
                        .flatMap(MapperFile::foreignNames)
                        .distinct()
                        .toList();
    }

    private static Stream<String> foreignNames(Map<?, ?> mapping) {
        Set<String> metrics = PrometheusName.mapped();
        Set<String> labels = PrometheusName.mappedLabels();
        Stream<String> metric = Stream.ofNullable(mapping.get("name")).map(Objects::toString);
        return Stream.concat(
                metric.filter(name -> !metrics.contains(name)),
                map(mapping.get("labels")).keySet().stream()
                        .map(Objects::toString)
                        .filter(label -> !labels.contains(label))
                        .map(label -> "the label " + label));
    }

    private static @Nullable Object read(Path file) throws IOException {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        try {
            return new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
        } catch (YAMLException e) {
            throw new IOException(file + " is not valid YAML", e);
        }
    }

    private static Map<?, ?> map(@Nullable Object node) {
        return node instanceof Map<?, ?> map ? map : Map.of();
    }
}
