package dev.weir.rules.watch;

import dev.weir.rules.Mistake;
import dev.weir.rules.RulesException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A way through a directory and everything below it, along symbolic links.
 *
 * <p>Each real directory is entered once, so that links in a circle end. Directories that are reached without a dotted name
 * are entered before the others: what is seen under several names is seen under its natural one.
 */
final class Walk {
    /**
     * Files and directories. A link to a home directory or a whole disk shows hundreds of thousands, and what is known of each
     * takes of the heap, at every look.
     */
    static final int MOST = 10_000;

    private static final String DENIED =
            "may not be read, and rules in it do not count; give the service the right to read it, or remove it";
    private static final String NOWHERE =
            "is a link that leads nowhere, and rules behind it do not count; bring back what it leads to, or remove it";
    private static final String NO_FILE =
            "is neither a file nor a directory, and nothing is read from it; move it elsewhere";

    private static final String TOO_MANY =
            "more than %,d files and directories lie below it, behind links too; name the directory that holds the rules, and keep elsewhere what holds none"
                    .formatted(MOST);

    /** By this link Kubernetes shows what is in force of the directories beside it. */
    private static final String OF_KUBERNETES = "..data";

    private final Path start;
    private final Choice choice;
    private final Disk disk;
    private final Set<Path> entered = new HashSet<>();
    private final Deque<Path> natural = new ArrayDeque<>();
    private final Deque<Path> dotted = new ArrayDeque<>();
    private final List<FileState> files = new ArrayList<>();
    private final List<Mistake> passedOver = new ArrayList<>();
    private int seen;

    private Walk(Path start, Choice choice, Disk disk) {
        this.start = start;
        this.choice = choice;
        this.disk = disk;
        natural.add(start);
    }

    /**
     * Returns the files below a directory, one name for each, sorted by name. What vanishes meanwhile is left out. Where the
     * service has no right to look it goes on, and so it does at a link that leads nowhere and at what is no file.
     *
     * @throws IOException if the directory is not there or not to be looked at, or something in it cannot be looked at
     * @throws RulesException if more than {@link #MOST} files and directories that count lie below it
     */
    static Listing files(Path directory, Choice choice, Disk disk) throws IOException, RulesException {
        var walk = new Walk(directory, choice, disk);
        while (!walk.natural.isEmpty() || !walk.dotted.isEmpty()) {
            walk.enter(walk.natural.isEmpty() ? walk.dotted.remove() : walk.natural.remove());
        }
        return new Listing(
                FileState.distinct(walk.files),
                walk.passedOver.stream()
                        .sorted(Comparator.comparing(Mistake::file))
                        .toList());
    }

    /** Returns whether it was thrown because there are more than {@link #MOST}. */
    static boolean isTooMuch(RulesException failure) {
        return failure.mistakes().getFirst().message().equals(TOO_MANY);
    }

    private void enter(Path directory) throws IOException, RulesException {
        try {
            if (!entered.add(disk.real(directory))) {
                return;
            }
            List<Path> children =
                    disk.children(directory, path -> choice.isWanted(start.relativize(path)), MOST + 1 - seen);
            seen += children.size();
            if (seen > MOST) {
                throw new RulesException(List.of(new Mistake(start.toString(), 0, 0, TOO_MANY)));
            }
            boolean isOfKubernetes = disk.isLink(directory.resolve(OF_KUBERNETES));
            for (Path path : children) {
                if (!(isOfKubernetes && isBeside(path))) {
                    visit(path);
                }
            }
        } catch (AccessDeniedException e) {
            if (directory.equals(start)) {
                throw e;
            }
            passOver(directory, DENIED);
        } catch (IOException e) {
            if (directory.equals(start) || !Disk.isNowhere(e)) {
                throw e;
            } // else it vanished since its parent was read
        }
    }

    private void visit(Path path) throws IOException {
        try {
            // Asked so that it can fail: what is only called no file when a disk fails would be missing among the
            // rules.
            var attributes = disk.attributes(path);
            if (attributes.isDirectory()) {
                (isDotted(path) ? dotted : natural).add(path);
            } else if (choice.isWantedFile(start.relativize(path))) {
                if (attributes.isRegularFile()) {
                    files.add(FileState.of(path, disk));
                } else {
                    passOverUnlessDotted(path, NO_FILE);
                }
            }
        } catch (AccessDeniedException e) {
            passOver(path, DENIED);
        } catch (IOException e) {
            if (!Disk.isNowhere(e)) {
                throw e;
            }
            if (disk.isLink(path)) {
                passOverUnlessDotted(path, NOWHERE);
            } // else it vanished since its directory was read
        }
    }

    /** Of those with a dot an editor makes some beside each file that it has open. */
    private void passOverUnlessDotted(Path path, String reason) {
        if (!isDotted(path)) {
            passOver(path, reason);
        }
    }

    private void passOver(Path path, String reason) {
        passedOver.add(new Mistake(path.toString(), 0, 0, reason));
    }

    /** What was in force before stays there for a moment, or for ever if it cannot be removed. */
    private static boolean isBeside(Path path) {
        String name = path.getFileName().toString();
        return name.startsWith("..") && !name.equals(OF_KUBERNETES);
    }

    private boolean isDotted(Path path) {
        for (var part : start.relativize(path)) {
            if (part.toString().startsWith(".")) {
                return true;
            }
        }
        return false;
    }

    /**
     * What is below a directory.
     *
     * @param files one name for each, sorted by name
     * @param passedOver what nobody can look behind or into, and why, sorted by name
     */
    record Listing(List<FileState> files, List<Mistake> passedOver) {
        static final Listing NOTHING = new Listing(List.of(), List.of());
    }

    /** Which paths count, relative to the directory. */
    @FunctionalInterface
    interface Choice {
        /** Decides by its name on a file or a directory; what is refused is not entered either. */
        boolean isWanted(Path path);

        /** Decides on what is a file and wanted by its name. */
        default boolean isWantedFile(Path path) {
            return true;
        }
    }
}
