package dev.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** A temporary folder that goes with its owner. */
record ScratchFolder(Path path) implements AutoCloseable {

    static ScratchFolder create(String purpose) {
        try {
            return new ScratchFolder(Files.createTempDirectory("weir-" + purpose + "-"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the path of {@code name} in this folder. */
    Path resolve(String name) {
        return path.resolve(name);
    }

    @Override
    public void close() {
        try (var files = Files.walk(path)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
