package dev.weir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;

/** What event loops of this process hold open: each has three files from the moment it is made, whether it runs or not. */
final class Pollers {
    private Pollers() {}

    /** Returns the files of all that have not ended. */
    static Set<Path> open() {
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(file -> target(file).contains("eventpoll")).collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String target(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException _) {
            return ""; // closed since it was listed
        }
    }
}
