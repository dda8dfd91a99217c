package dev.weir.bench.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The time that a process has spent on processors, as Linux counts it. */
final class ProcessCpu {
    /** Linux shows ticks of a hundredth of a second to programs, whatever it counts with inside. */
    private static final double TICKS_PER_SECOND = 100;

    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;

    private ProcessCpu() {}

    /** Returns the seconds of user and system time so far; not a number if the process is unknown or this is not Linux. */
    static double seconds(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            // The name before the parenthesis may hold blanks; what follows begins with field 3.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS])) / TICKS_PER_SECOND;
        } catch (IOException _) {
            return Double.NaN;
        }
    }
}
