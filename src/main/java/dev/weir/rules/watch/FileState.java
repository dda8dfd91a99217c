package dev.weir.rules.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file and what tells that it changed, without reading it.
 *
 * @param path its name as the operator knows it
 * @param real the file behind all links
 * @param identity the file system's own number for it, or null: a file moved into place may have size and time of the old one
 * @param size in bytes
 * @param modified when it was last written, as its writer says: archives say the same of all their files
 * @param changed when it was last changed in any way, as the file system says
 * @param isReadable a right given later changes neither size nor time
 */
record FileState(
        Path path,
        Path real,
        @Nullable Object identity,
        long size,
        FileTime modified,
        FileTime changed,
        boolean isReadable) {

    static FileState of(Path path, Disk disk) throws IOException {
        return of(path, disk.real(path), disk);
    }

    /** As {@link #of}, but also for a pipe such as {@code /dev/stdin}: it can be read, and the link to it leads to no path. */
    static FileState orPipe(Path path, Disk disk) throws IOException {
        try {
            return of(path, disk);
        } catch (NoSuchFileException e) {
            return of(path, path, disk);
        }
    }

    private static FileState of(Path path, Path real, Disk disk) throws IOException {
        var attributes = disk.attributes(real);
        return new FileState(
                path,
                real,
                attributes.fileKey(),
                attributes.size(),
                attributes.lastModifiedTime(),
                disk.changed(real),
                Files.isReadable(real));
    }

    /**
     * Leaves one name for each file, and sorts by name. Of several names the one with the fewest parts that begin with a
     * dot stays: a Kubernetes ConfigMap shows one file as {@code config.yaml} and {@code ..data/config.yaml}.
     */
    static List<FileState> distinct(Collection<FileState> files) {
        Comparator<FileState> natural = Comparator.comparingLong(FileState::dots)
                .thenComparing(file -> file.path().toString());
        Map<Path, FileState> byReal = new HashMap<>();
        for (var file : files) {
            byReal.merge(file.real(), file, (one, other) -> natural.compare(one, other) <= 0 ? one : other);
        }
        return byReal.values().stream()
                .sorted(Comparator.comparing(file -> file.path().toString()))
                .toList();
    }

    private long dots() {
        long dots = 0;
        for (var part : path) {
            String name = part.toString();
            dots += name.startsWith(".") && !name.equals(".") && !name.equals("..") ? 1 : 0;
        }
        return dots;
    }
}
