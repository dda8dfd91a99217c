package dev.weir.rules.watch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What is asked of the file system. A test puts one in between that fails as disks and networks do. */
interface Disk {
    /** The file system of this machine. */
    Disk LOCAL = new Local();

    /** Returns what is wanted of what is directly in a directory, by name; of more than {@code most} any so many. */
    List<Path> children(Path directory, Predicate<Path> isWanted, int most) throws IOException;

    /** Returns the path behind all links. */
    Path real(Path path) throws IOException;

    /** Returns whether the path itself is a link, wherever it leads. */
    boolean isLink(Path path);

    /** Returns what is known of the file or directory behind all links. */
    BasicFileAttributes attributes(Path path) throws IOException;

    /** Returns when the file or directory, or what is known of it, was changed; where the file system does not say that, when it was written. */
    FileTime changed(Path path) throws IOException;

    /** Returns the whole content of a file. */
    byte[] content(Path file) throws IOException;

    /** Returns whether the failure says that nothing is there, or only a link that leads nowhere: no reason to try again. */
    static boolean isNowhere(IOException e) {
        if (e instanceof NoSuchFileException) {
            return true;
        }
        String reason = e instanceof FileSystemException failure ? String.valueOf(failure.getReason()) : "";
        // Java has no exceptions of their own for links in a circle, and for those to something below a file.
        return reason.endsWith("or unable to access attributes of symbolic link") || reason.equals("Not a directory");
    }

    /** The file system of this machine. */
    final class Local implements Disk {
        private Local() {}

        @Override
        public List<Path> children(Path directory, Predicate<Path> isWanted, int most) throws IOException {
            try (Stream<Path> children = Files.list(directory)) {
                return children.filter(isWanted).limit(most).sorted().toList();
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }

        @Override
        public Path real(Path path) throws IOException {
            return path.toRealPath();
        }

        @Override
        public boolean isLink(Path path) {
            return Files.isSymbolicLink(path);
        }

        @Override
        public BasicFileAttributes attributes(Path path) throws IOException {
            return Files.readAttributes(path, BasicFileAttributes.class);
        }

        @Override
        public FileTime changed(Path path) throws IOException {
            return path.getFileSystem().supportedFileAttributeViews().contains("unix")
                    ? (FileTime) Files.getAttribute(path, "unix:ctime")
                    : Files.getLastModifiedTime(path);
        }

        @Override
        public byte[] content(Path file) throws IOException {
            return Files.readAllBytes(file);
        }
    }
}
