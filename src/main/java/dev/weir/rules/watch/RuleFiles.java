package dev.weir.rules.watch;

import dev.weir.jvm.Heap;
import dev.weir.rules.Mistake;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The rule files of a directory, as envoyproxy/ratelimit finds them: every file, whatever its extension, in every
 * directory below.
 *
 * <p>Where the root is watched, everything below root and subdirectory whose path, written with dots, begins with
 * the application directory and a dot; else everything below root, subdirectory and application directory.
 *
 * @param root {@code RUNTIME_ROOT}
 * @param subdirectory {@code RUNTIME_SUBDIRECTORY}, below the root; empty for the root itself
 * @param appDirectory {@code RUNTIME_APPDIRECTORY}, below the subdirectory; where the root is watched, how paths with dots for
 *     separators begin
 * @param watchRoot {@code RUNTIME_WATCH_ROOT}
 * @param ignoreDotFiles {@code RUNTIME_IGNOREDOTFILES}: leave out files and directories that begin with a dot
 */
public record RuleFiles(
        Path root, String subdirectory, String appDirectory, boolean watchRoot, boolean ignoreDotFiles) {
    private static final int MAX_READINGS = 5;

    /** Returns the directory below which the files are. */
    public Path directory() {
        // Joined as text: a leading slash of a part must not make it a path of its own.
        Path joined = Path.of(root.toString(), subdirectory, watchRoot ? "" : appDirectory)
                .normalize();
        return joined.toString().isEmpty() ? joined.toAbsolutePath() : joined; // whoever reads the log wants a name
    }

    /**
     * Reads the files, sorted by name. If they change while they are read, or one that is listed is not there, they are read
     * again. What is no file, and nobody can look behind or into, is passed over.
     *
     * @throws RulesException if the directory is missing, too much lies below it or a file in it may not be read
     * @throws DiskException if something cannot be read, or is not there though it is listed
     */
    Read read(Disk disk) throws RulesException, DiskException {
        var before = listing(disk);
        for (int reading = 1; ; reading++) {
            var sources = contents(before.files(), disk);
            var after = listing(disk);
            // A file that comes back as it was looks the same before and after, and was not read.
            boolean isWhole = sources.size() == before.files().size();
            if (isWhole && (after.equals(before) || reading == MAX_READINGS)) {
                return new Read(sources, before.passedOver());
            }
            if (reading == MAX_READINGS) {
                throw new DiskException(
                        directory(), new IOException("each time it is read, files vanish that were there before"));
            }
            before = after;
        }
    }

    /**
     * Reads the files that are named, and those below the directories that are named; sorted by name.
     *
     * @param ignoreDotFiles as above, below the directories; what is named is read, whatever it is called
     * @throws RulesException if one of them is missing or cannot be read, or too much lies below it
     */
    public static List<SourceFile> given(List<Path> paths, boolean ignoreDotFiles) throws RulesException {
        return given(paths, ignoreDotFiles, Disk.LOCAL);
    }

    static List<SourceFile> given(List<Path> paths, boolean ignoreDotFiles, Disk disk) throws RulesException {
        List<FileState> files = new ArrayList<>();
        List<Mistake> mistakes = new ArrayList<>();
        for (var path : paths) {
            try {
                if (Files.isDirectory(path)) {
                    var listing = Walk.files(path, name -> !(ignoreDotFiles && isDotted(name)), disk);
                    files.addAll(listing.files());
                    // The service passes over what it may not read; who checks files is told that they were not
                    // checked.
                    mistakes.addAll(listing.passedOver());
                } else {
                    files.add(FileState.orPipe(path, disk));
                }
            } catch (NoSuchFileException e) {
                mistakes.add(new Mistake(path.toString(), 0, 0, "there is no such file or directory"));
            } catch (IOException e) {
                mistakes.add(unreadable(path, e.toString()));
            } catch (RulesException e) {
                mistakes.addAll(e.mistakes());
            }
        }
        if (!mistakes.isEmpty()) {
            throw new RulesException(mistakes);
        }
        try {
            return contents(FileState.distinct(files), disk);
        } catch (DiskException e) {
            throw new RulesException(List.of(e.mistake()));
        }
    }

    /** Returns whether a file that was read of these paths is passed over where dot files are ignored. */
    private static boolean isDotFile(Path file, List<Path> given) {
        // One that is named, or is below a dotted directory that is named, is read all the same.
        var ways = given.stream().filter(file::startsWith).toList();
        return !ways.isEmpty() && ways.stream().allMatch(way -> hasDot(way.relativize(file)));
    }

    /** Returns how to leave dot files out where mistakes stand in some, as an editor's file beside that which is edited; else null. */
    public static @Nullable String hint(List<Mistake> mistakes, List<Path> given) {
        long dotted = mistakes.stream()
                .filter(mistake -> isDotFile(Path.of(mistake.file()), given))
                .count();
        return dotted == 0
                ? null
                : (dotted == 1 ? "1 mistake stands" : dotted + " mistakes stand")
                        + " in or below what begins with a dot; RUNTIME_IGNOREDOTFILES=true passes over it";
    }

    private static boolean hasDot(Path below) {
        return StreamSupport.stream(below.spliterator(), false).anyMatch(RuleFiles::isDotted);
    }

    /**
     * Lists the files with what tells that they changed.
     *
     * @throws RulesException if the directory is missing or may not be looked into, or too much lies below it
     * @throws DiskException if something in it cannot be looked at
     */
    Walk.Listing listing(Disk disk) throws RulesException, DiskException {
        Path directory = directory();
        try {
            if (disk.attributes(directory).isDirectory()) {
                return Walk.files(directory, choice(), disk);
            }
        } catch (AccessDeniedException e) {
            throw new RulesException(List.of(unreadable(directory, e.toString())));
        } catch (IOException e) {
            if (!Disk.isNowhere(e)) {
                throw new DiskException(directory, e);
            }
        }
        throw new RulesException(List.of(new Mistake(directory.toString(), 0, 0, missing())));
    }

    private String missing() {
        String parts = "RUNTIME_ROOT=%s, RUNTIME_SUBDIRECTORY=%s".formatted(root, subdirectory)
                + (watchRoot ? "" : ", RUNTIME_APPDIRECTORY=" + appDirectory);
        return "there is no such directory, made up of %s (RUNTIME_WATCH_ROOT=%s); create it, or set these variables"
                .formatted(parts, watchRoot);
    }

    private Walk.Choice choice() {
        String beginning = appDirectory + ".";
        return new Walk.Choice() {
            @Override
            public boolean isWanted(Path path) {
                if (ignoreDotFiles && isDotted(path)) {
                    return false;
                }
                String begun = dotted(path) + ".";
                return !watchRoot || begun.startsWith(beginning) || beginning.startsWith(begun);
            }

            @Override
            public boolean isWantedFile(Path path) {
                // What leads to wanted files by its name is not one of them.
                return !watchRoot || dotted(path).startsWith(beginning);
            }
        };
    }

    private static String dotted(Path path) {
        return StreamSupport.stream(path.spliterator(), false)
                .map(Path::toString)
                .collect(Collectors.joining("."));
    }

    private static boolean isDotted(Path path) {
        return path.getFileName().toString().startsWith(".");
    }

    /** Reads those that are still there. One that was never meant to be a rule file, a core dump or a log, must not end the process. */
    private static List<SourceFile> contents(List<FileState> files, Disk disk) throws RulesException, DiskException {
        List<SourceFile> contents = new ArrayList<>();
        List<Mistake> mistakes = new ArrayList<>();
        long room = Heap.roomForRuleFiles();
        for (var file : files) {
            if (file.size() > room) {
                mistakes.add(tooLarge(file));
                continue;
            }
            room -= file.size();
            try {
                contents.add(SourceFile.of(file.path().toString(), disk.content(file.path())));
            } catch (AccessDeniedException e) {
                mistakes.add(unreadable(file.path(), e.toString()));
            } catch (IOException e) {
                if (!Disk.isNowhere(e)) {
                    throw new DiskException(file.path(), e);
                }
            }
        }
        if (!mistakes.isEmpty()) {
            throw new RulesException(mistakes);
        }
        return contents;
    }

    private static Mistake tooLarge(FileState file) {
        return new Mistake(
                file.path().toString(),
                0,
                0,
                "has %d KiB, and this heap has room for rule files of %d KiB in all; move it elsewhere if it holds no rules, or give Weir a larger heap by WEIR_HEAP"
                        .formatted(file.size() >> 10, Heap.roomForRuleFiles() >> 10));
    }

    private static Mistake unreadable(Path path, String reason) {
        return new Mistake(
                path.toString(), 0, 0, "cannot be read (" + reason + "); give the service the right to read it");
    }

    /**
     * What was read.
     *
     * @param sources the files, sorted by name
     * @param passedOver what nobody can look behind or into, and why
     */
    record Read(List<SourceFile> sources, List<Mistake> passedOver) {}
}
