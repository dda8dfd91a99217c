package dev.weir.rules.yaml;

import dev.weir.rules.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The rule files beside the tests: a file of its own, or a folder of files that belong together. */
final class Fixtures {
    private static final Path HOME = Path.of("src/test/resources/dev/weir/rules/yaml");

    private Fixtures() {}

    /** Files and folders of rules in {@code folder}, without what is expected of them. */
    static List<Path> in(String folder) throws IOException {
        try (Stream<Path> paths = Files.list(HOME.resolve(folder))) {
            return paths.filter(path -> !path.toString().endsWith(".expected"))
                    .sorted()
                    .toList();
        }
    }

    /** The text beside a fixture that says what is expected of it. */
    static String expected(Path fixture) throws IOException {
        String name = fixture.getFileName().toString().replace(".yaml", "");
        return Files.readString(fixture.resolveSibling(name + ".expected"));
    }

    /** Returns the files of a fixture, each called by its name alone. */
    static List<SourceFile> files(Path fixture) throws IOException {
        try (Stream<Path> paths = Files.walk(fixture)) {
            return paths.filter(Files::isRegularFile)
                    .sorted()
                    .map(Fixtures::file)
                    .toList();
        }
    }

    private static SourceFile file(Path path) {
        try {
            return SourceFile.of(path.getFileName().toString(), Files.readAllBytes(path));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Whether the fixture's files may define the same domain: its name says so. */
    static boolean isMerged(Path fixture) {
        return fixture.getFileName().toString().startsWith("merged");
    }
}
