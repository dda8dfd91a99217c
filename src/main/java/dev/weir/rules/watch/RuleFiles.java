package dev.weir.rules.watch;

import dev.weir.rules.Mistake;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The rule files of a directory, as envoyproxy/ratelimit finds them: every file, whatever its extension, in every
 * directory below.
 *
 * <p>Where the root is watched, everything below root and subdirectory whose path, written with dots, begins with
 * {@code config.}; else everything below root, subdirectory and application directory.
 *
 * @param root {@code RUNTIME_ROOT}
 * @param subdirectory {@code RUNTIME_SUBDIRECTORY}, below the root; empty for the root itself
 * @param appDirectory {@code RUNTIME_APPDIRECTORY}, below the subdirectory; not used where the root is watched
 * @param watchRoot {@code RUNTIME_WATCH_ROOT}
 * @param ignoreDotFiles {@code RUNTIME_IGNOREDOTFILES}: leave out files and directories that begin with a dot
 */
public record RuleFiles(
        Path root, String subdirectory, String appDirectory, boolean watchRoot, boolean ignoreDotFiles) {
    private static final String CONFIG = "config";
    private static final int MAX_READINGS = 5;

    /** Returns the directory below which the files are. */
    public Path directory() {
        // Joined as text: a leading slash of a part must not make it a path of its own.
        return Path.of(root.toString(), subdirectory, watchRoot ? "" : appDirectory)
                .normalize();
    }

    /**
     * Reads the files, sorted by name. A file that vanishes meanwhile is left out; if the files change while they are
     * read, they are read again.
     *
     * @throws RulesException if the directory is missing or something in it cannot be read
     */
    public List<SourceFile> read() throws RulesException {
        var before = listing();
        for (int reading = 1; ; reading++) {
            var files = contents(before);
            var after = listing();
            if (after.equals(before) || reading == MAX_READINGS) {
                return files;
            }
            before = after;
        }
    }

    /**
     * Reads the files that are named, and those below the directories that are named but not those that begin with a
     * dot; sorted by name.
     *
     * @throws RulesException if one of them is missing or cannot be read
     */
    public static List<SourceFile> given(List<Path> paths) throws RulesException {
        List<FileState> files = new ArrayList<>();
        List<Mistake> mistakes = new ArrayList<>();
        for (var path : paths) {
            try {
                files.addAll(
                        Files.isDirectory(path)
                                ? Walk.files(path, name -> !isDotted(name))
                                : List.of(FileState.orPipe(path)));
            } catch (NoSuchFileException e) {
                mistakes.add(new Mistake(path.toString(), 0, 0, "there is no such file or directory"));
            } catch (IOException e) {
                mistakes.add(unreadable(path, e));
            }
        }
        if (!mistakes.isEmpty()) {
            throw new RulesException(mistakes);
        }
        return contents(FileState.distinct(files));
    }

    /** Lists the files with what tells that they changed. */
    List<FileState> listing() throws RulesException {
        Path directory = directory();
        if (!Files.isDirectory(directory)) {
            throw new RulesException(List.of(new Mistake(directory.toString(), 0, 0, missing())));
        }
        try {
            return Walk.files(directory, this::isWanted);
        } catch (IOException e) {
            throw new RulesException(List.of(unreadable(directory, e)));
        }
    }

    private String missing() {
        String parts = "RUNTIME_ROOT=%s, RUNTIME_SUBDIRECTORY=%s".formatted(root, subdirectory)
                + (watchRoot ? "" : ", RUNTIME_APPDIRECTORY=" + appDirectory);
        return "there is no such directory, made up of %s (RUNTIME_WATCH_ROOT=%s); create it, or set these variables"
                .formatted(parts, watchRoot);
    }

    /** Decides by a path relative to the directory; what is refused is not entered either. */
    private boolean isWanted(Path path) {
        if (ignoreDotFiles && isDotted(path)) {
            return false;
        }
        String first = path.getName(0).toString();
        return !watchRoot
                || first.startsWith(CONFIG + ".")
                // Below a directory "config" the dot stands for the separator; a file of that name has none.
                || (first.equals(CONFIG)
                        && (path.getNameCount() > 1
                                || Files.isDirectory(directory().resolve(path))));
    }

    private static boolean isDotted(Path path) {
        return path.getFileName().toString().startsWith(".");
    }

    private static List<SourceFile> contents(List<FileState> files) throws RulesException {
        List<SourceFile> contents = new ArrayList<>();
        List<Mistake> mistakes = new ArrayList<>();
        for (var file : files) {
            try {
                contents.add(new SourceFile(file.path().toString(), Files.readAllBytes(file.path())));
            } catch (NoSuchFileException e) {
                // Gone since it was listed: the next listing is without it, too.
            } catch (IOException e) {
                mistakes.add(unreadable(file.path(), e));
            }
        }
        if (!mistakes.isEmpty()) {
            throw new RulesException(mistakes);
        }
        return contents;
    }

    private static Mistake unreadable(Path path, IOException e) {
        return new Mistake(path.toString(), 0, 0, "cannot be read (" + e + "); give the service the right to read it");
    }
}
