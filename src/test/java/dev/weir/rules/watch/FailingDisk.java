package dev.weir.rules.watch;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** The machine's own disk, until it is told to fail at a path. */
final class FailingDisk implements Disk {
    private final Map<Path, IOException> looks = new HashMap<>();
    private final Map<Path, IOException> entries = new HashMap<>();
    private final Map<Path, IOException> readings = new HashMap<>();
    private final Set<Path> crowded = new HashSet<>();
    private final AtomicInteger entered = new AtomicInteger();
    private final AtomicInteger read = new AtomicInteger();

    /** What is at the path cannot be looked at. */
    void failLookingAt(Path path, IOException failure) {
        looks.put(path, failure);
    }

    /** What is in the directory cannot be listed. */
    void failEntering(Path directory, IOException failure) {
        entries.put(directory, failure);
    }

    /** What the file says cannot be read. */
    void failReading(Path file, IOException failure) {
        readings.put(file, failure);
    }

    /** In the directory lies more than anybody looks at. */
    void crowd(Path directory) {
        crowded.add(directory);
    }

    /** Returns how many directories were entered so far. */
    int entered() {
        return entered.get();
    }

    /** Returns how many files were read so far. */
    int read() {
        return read.get();
    }

    void heal() {
        looks.clear();
        entries.clear();
        crowded.clear();
        readings.clear();
    }

    @Override
    public List<Path> children(Path directory, Predicate<Path> isWanted, int most) throws IOException {
        entered.incrementAndGet();
        fail(entries, directory);
        if (crowded.contains(directory)) {
            return Collections.nCopies(most, directory.resolve("a.yaml"));
        }
        return LOCAL.children(directory, isWanted, most);
    }

    @Override
    public Path real(Path path) throws IOException {
        fail(looks, path);
        return LOCAL.real(path);
    }

    @Override
    public boolean isLink(Path path) {
        return LOCAL.isLink(path);
    }

    @Override
    public BasicFileAttributes attributes(Path path) throws IOException {
        fail(looks, path);
        return LOCAL.attributes(path);
    }

    @Override
    public FileTime changed(Path path) throws IOException {
        return LOCAL.changed(path);
    }

    @Override
    public byte[] content(Path file) throws IOException {
        read.incrementAndGet();
        fail(readings, file);
        return LOCAL.content(file);
    }

    private static void fail(Map<Path, IOException> failures, Path path) throws IOException {
        var failure = failures.get(path);
        if (failure != null) {
            throw failure;
        }
    }
}
