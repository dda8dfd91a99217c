package dev.weir.metrics;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * A file of mappings for the Go service's exporter. Weir maps by itself, to the names and labels of the default mapping; a file
 * that says the same may stay, and one that drops what Weir does not tell anyway. What else it says changes nothing.
 */
public final class MapperFile {
    private static final String MAPPINGS = "mappings";
    /** What a regular expression is tried on: its own text is no name, as that of a glob is. */
    private static final List<String> SAMPLES = PrometheusName.samples();

    private final Map<?, ?> file;
    private final List<Mapping> mappings;

    private MapperFile(Map<?, ?> file) {
        this.file = file;
        mappings = (file.get(MAPPINGS) instanceof List<?> list ? list : List.of())
                .stream()
                        .map(MapperFile::map)
                        .map(Mapping::new)
                        .filter(mapping -> !mapping.text("action").equals("drop"))
                        .toList();
    }

    /**
     * Reads a file.
     *
     * @throws IOException if there is no such file, or it cannot be read
     */
    public static MapperFile read(Path file) throws IOException {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        try {
            return new MapperFile(map(new Yaml(new SafeConstructor(new LoaderOptions())).load(text)));
        } catch (YAMLException e) {
            throw new IOException(file + " is not valid YAML", e);
        }
    }

    /** Returns the metrics and labels that the file gives and Weir does not, in the order of the file. */
    public List<String> foreignNames() {
        return mappings.stream().flatMap(Mapping::foreignNames).distinct().toList();
    }

    /** Returns what the file says that Weir does not do, although it gives these names, in the order of the file. */
    public List<String> unheeded() {
        return Stream.concat(
                        file.keySet().stream().map(Objects::toString).filter(key -> !key.equals(MAPPINGS)),
                        mappings.stream()
                                .filter(mapping -> !mapping.isHonoured())
                                .map(mapping -> "the mapping of " + mapping.text("match")))
                .distinct()
                .toList();
    }

    private static Map<?, ?> map(@Nullable Object node) {
        return node instanceof Map<?, ?> map ? map : Map.of();
    }

    /** One mapping of the file. */
    private record Mapping(Map<?, ?> node) {
        private static final Set<String> KNOWN = Set.of(
                "match",
                "match_type",
                "match_metric_type",
                "name",
                "labels",
                "action",
                "help",
                "timer_type",
                "observer_type");

        String text(String key) {
            return Objects.toString(node.get(key), "");
        }

        private boolean isRegex() {
            return text("match_type").equals("regex");
        }

        Stream<String> foreignNames() {
            Set<String> metrics = PrometheusName.mapped();
            Set<String> labels = PrometheusName.mappedLabels();
            // A name that no mapping knows has its own in Prometheus, with underscores.
            boolean isItsOwn = text("name").equals(PrometheusName.escaped(text("match")));
            return Stream.concat(
                    Stream.of(text("name")).filter(name -> !name.isEmpty() && !isItsOwn && !metrics.contains(name)),
                    map(node.get("labels")).keySet().stream()
                            .map(Objects::toString)
                            .filter(label -> !labels.contains(label))
                            .map(label -> "the label " + label));
        }

        /** Returns whether Weir gives what this gives, for each name that can be thought of. */
        boolean isHonoured() {
            boolean isPlain = node.keySet().stream().allMatch(KNOWN::contains)
                    && Stream.of("timer_type", "observer_type")
                            .noneMatch(key -> text(key).equals("summary"));
            return isPlain && (isRegex() ? isRegexHonoured() : isGlobHonoured());
        }

        private boolean isGlobHonoured() {
            String sample = text("match");
            List<String> groups = new ArrayList<>();
            while (sample.indexOf('*') >= 0) {
                groups.add("x" + groups.size());
                sample = sample.replaceFirst("\\*", groups.getLast());
            }
            return isOurs(sample, groups);
        }

        private boolean isRegexHonoured() {
            try {
                var pattern = Pattern.compile(text("match"));
                var fitting = SAMPLES.stream()
                        .filter(sample -> pattern.matcher(sample).find())
                        .toList();
                return !fitting.isEmpty()
                        && fitting.stream().allMatch(sample -> isOurs(sample, groups(pattern.matcher(sample))));
            } catch (PatternSyntaxException _) {
                return false; // the Go service would not start with it
            }
        }

        private static List<String> groups(Matcher found) {
            List<String> groups = new ArrayList<>();
            if (found.find()) {
                for (int i = 1; i <= found.groupCount(); i++) {
                    groups.add(Objects.toString(found.group(i), ""));
                }
            }
            return groups;
        }

        private boolean isOurs(String sample, List<String> groups) {
            var ours = PrometheusName.of(sample);
            var labels = new TreeMap<String, String>();
            map(node.get("labels")).forEach((label, text) -> labels.put(label.toString(), filled("" + text, groups)));
            var pairs = labels.entrySet().stream()
                    .flatMap(label -> Stream.of(label.getKey(), label.getValue()))
                    .toList();
            return ours.metric().equals(text("name")) && ours.pairs().equals(pairs);
        }

        private static String filled(String text, List<String> groups) {
            String filled = text;
            for (int i = groups.size(); i > 0; i--) { // $12 before $1
                filled = filled.replace("${" + i + "}", groups.get(i - 1)).replace("$" + i, groups.get(i - 1));
            }
            return filled;
        }
    }
}
