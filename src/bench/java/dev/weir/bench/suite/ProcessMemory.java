package dev.weir.bench.suite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory that Linux keeps for a process. */
final class ProcessMemory {
    private static final long KIB_PER_MIB = 1024;

    private ProcessMemory() {}

    /** Returns the MiB that are resident, shared pages of files too. */
    static double residentMebibytes(long pid) {
        try {
            return (double) Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                            .filter(line -> line.startsWith("VmRSS:"))
                            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                            .findFirst()
                            .orElseThrow()
                    / KIB_PER_MIB;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
