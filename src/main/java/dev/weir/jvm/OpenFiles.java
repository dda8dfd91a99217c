package dev.weir.jvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * How many files, connections among them, the system lets this process have open. Java's own bean knows that too, and takes some
 * 50 ms of the start before it says so.
 */
public final class OpenFiles {
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String MOST = "Max open files";

    private OpenFiles() {}

    /** Returns the number; nothing where there is no bound, or the system does not tell, as outside of Linux. */
    public static OptionalLong most() {
        try {
            return Files.readAllLines(LIMITS).stream()
                    .filter(line -> line.startsWith(MOST))
                    .map(line -> line.substring(MOST.length()).strip().split(" ", 2)[0])
                    .filter(soft -> !soft.equals("unlimited"))
                    .mapToLong(Long::parseLong)
                    .findFirst();
        } catch (IOException _) {
            return OptionalLong.empty(); // not told here
        }
    }
}
