package dev.weir.jvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** The memory of the process as the system counts it, which Java itself does not know. */
final class ProcessMemory {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String RESIDENT = "VmRSS:";
    private static final long BYTES_PER_KIB = 1_024;

    private ProcessMemory() {}

    /** Returns the bytes that are in memory now; nothing where the system does not tell, as outside of Linux. */
    static OptionalLong residentBytes() {
        try {
            return Files.readAllLines(STATUS).stream()
                    .filter(line -> line.startsWith(RESIDENT))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * BYTES_PER_KIB)
                    .findFirst();
        } catch (IOException _) {
            return OptionalLong.empty(); // not told here
        }
    }
}
