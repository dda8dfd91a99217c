package dev.weir.rules.watch;

import dev.weir.rules.Mistake;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Files near by where rules are looked for, which do not count for their names: most likely rules that lie one folder off. */
final class Strays {
    /** A root may be that of the whole disk. */
    private static final int MOST = 1_000;

    private final Disk disk;
    private int files;

    private Strays(Disk disk) {
        this.disk = disk;
    }

    /** Returns what to tell where no file was found that counts; null if there are no others either. */
    static @Nullable Mistake remark(RuleFiles looked, Disk disk) {
        if (!looked.watchRoot()) {
            return null; // there everything counts
        }
        var strays = new Strays(disk);
        strays.count(looked.directory(), 1);
        if (strays.files == 0) {
            return null;
        }
        String count = strays.files == 1
                ? "1 file here is"
                : strays.files + (strays.files == MOST ? " files or more here are" : " files here are");
        String message =
                ("%1$s passed over: with RUNTIME_WATCH_ROOT=true and RUNTIME_APPDIRECTORY=%2$s only those count whose names begin with"
                                + " `%2$s.` or that lie in `%2$s/`; move them, or set RUNTIME_WATCH_ROOT=false and RUNTIME_APPDIRECTORY"
                                + " to their folder, `.` for this one")
                        .formatted(count, looked.appDirectory());
        return new Mistake(looked.directory().toString(), 0, 0, message);
    }

    /** Counts what is in a directory, and in those in it. */
    private void count(Path directory, int foldersBelow) {
        for (var path : children(directory)) {
            if (files == MOST) {
                return;
            }
            countIn(path, foldersBelow);
        }
    }

    private void countIn(Path path, int foldersBelow) {
        try {
            var attributes = disk.attributes(path);
            if (attributes.isRegularFile()) {
                files++;
            } else if (attributes.isDirectory() && foldersBelow > 0) {
                count(path, foldersBelow - 1);
            }
        } catch (IOException _) {
            // It vanished, or may not be looked at: then it is none that could be moved.
        }
    }

    private List<Path> children(Path directory) {
        try {
            return disk.children(directory, Strays::isNatural, Walk.MOST);
        } catch (IOException _) {
            return List.of(); // as above
        }
    }

    /** Dotted are what editors and Kubernetes keep beside what they show under another name. */
    private static boolean isNatural(Path path) {
        return !path.getFileName().toString().startsWith(".");
    }
}
