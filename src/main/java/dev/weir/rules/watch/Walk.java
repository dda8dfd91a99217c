package dev.weir.rules.watch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A way through a directory and everything below it, along symbolic links.
 *
 * <p>Each real directory is entered once, so that links in a circle end. Directories that are reached without a dotted name
 * are entered before the others: what is seen under several names is seen under its natural one.
 */
final class Walk {
    private final Path start;
    private final Predicate<Path> isWanted;
    private final Set<Path> entered = new HashSet<>();
    private final Deque<Path> natural = new ArrayDeque<>();
    private final Deque<Path> dotted = new ArrayDeque<>();
    private final List<FileState> files = new ArrayList<>();

    private Walk(Path start, Predicate<Path> isWanted) {
        this.start = start;
        this.isWanted = isWanted;
        natural.add(start);
    }

    /**
     * Returns the files below a directory, one name for each, sorted by name. What vanishes meanwhile is left out, and so
     * is a link that leads nowhere.
     *
     * @param isWanted chooses files and directories by their path relative to the directory
     * @throws IOException if a directory cannot be read
     */
    static List<FileState> files(Path directory, Predicate<Path> isWanted) throws IOException {
        var walk = new Walk(directory, isWanted);
        while (!walk.natural.isEmpty() || !walk.dotted.isEmpty()) {
            walk.enter(walk.natural.isEmpty() ? walk.dotted.remove() : walk.natural.remove());
        }
        return FileState.distinct(walk.files);
    }

    private void enter(Path directory) throws IOException {
        try {
            if (!entered.add(directory.toRealPath())) {
                return;
            }
            for (Path path : children(directory)) {
                if (isWanted.test(start.relativize(path))) {
                    visit(path);
                }
            }
        } catch (NoSuchFileException e) {
            // Vanished since its parent was read.
        }
    }

    private static List<Path> children(Path directory) throws IOException {
        try (Stream<Path> children = Files.list(directory)) {
            return children.sorted().toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void visit(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            (isDotted(path) ? dotted : natural).add(path);
        } else if (Files.isRegularFile(path)) {
            try {
                files.add(FileState.of(path));
            } catch (NoSuchFileException e) {
                // Vanished since its directory was read, or a link that leads nowhere.
            }
        }
    }

    private boolean isDotted(Path path) {
        for (var part : start.relativize(path)) {
            if (part.toString().startsWith(".")) {
                return true;
            }
        }
        return false;
    }
}
