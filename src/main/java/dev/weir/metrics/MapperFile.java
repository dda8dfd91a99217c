package dev.weir.metrics;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A file of mappings for the Go service's exporter. Weir maps by itself, to the names of the default mapping; a file that says
 * the same may stay.
 */
public final class MapperFile {
    /** The name of a mapping, in blocks and in braces; so a label of this name is taken for one, and refused. */
    private static final Pattern NAME = Pattern.compile("(?<![\\w-])[\"']?name[\"']?\\s*:\\s*[\"']?([^\"'\\s,}#]+)");

    private MapperFile() {}

    /**
     * Returns the names that the file gives and Weir does not, sorted.
     *
     * @throws IOException if there is no such file, or it cannot be read
     */
    public static List<String> foreignNames(Path file) throws IOException {
        Set<String> known = PrometheusName.mapped();
        return NAME.matcher(new String(Files.readAllBytes(file), StandardCharsets.UTF_8))
                .results()
                .map(name -> name.group(1))
                .filter(name -> !known.contains(name))
                .distinct()
                .sorted()
                .toList();
    }
}
