package dev.weir.testing;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A command of the distribution, run to its end.
 *
 * @param exitCode what it ended with
 * @param output what it printed, the errors too
 */
public record WeirCommand(int exitCode, String output) {
    /** A cold JVM beside other builds takes its time. */
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(60);

    /** Runs {@code weir} with these arguments. */
    public static WeirCommand run(String... arguments) {
        return run(Map.of(), arguments);
    }

    /**
     * Runs {@code weir} with these arguments.
     *
     * @param environment what is added to, and wins over, what a shell would have
     */
    public static WeirCommand run(Map<String, String> environment, String... arguments) {
        return run(bin("weir"), environment, arguments);
    }

    /** Runs a program in an empty folder. */
    public static WeirCommand run(Path program, Map<String, String> environment, String... arguments) {
        return run(program, environment, ENDS_WITHIN, arguments);
    }

    /** Runs a program in an empty folder, with more patience or less. */
    public static WeirCommand run(Path program, Map<String, String> environment, Duration within, String... arguments) {
        var command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        var all = inherited();
        all.putAll(environment);
        try (var folder = ScratchFolder.create("command");
                var child = Child.start("command", folder.path(), all, command)) {
            int exitCode = child.awaitEnd(within);
            return new WeirCommand(exitCode, child.output());
        }
    }

    /** Returns a program of the built distribution, which {@code weir.home} names. */
    public static Path bin(String program) {
        var home = System.getProperty("weir.home");
        if (home == null) {
            throw new IllegalStateException(
                    "weir.home is not set: it names the built distribution, as `make test` leaves it in target/weir");
        }
        return Path.of(home, "bin", program).toAbsolutePath();
    }

    /** Returns what every program needs, and the JDK of this JVM; no setting of Weir. */
    static Map<String, String> inherited() {
        var all = new HashMap<String, String>();
        for (var kept : List.of("PATH", "HOME", "TMPDIR", "LANG")) {
            var value = System.getenv(kept);
            if (value != null) {
                all.put(kept, value);
            }
        }
        all.put("JAVA_HOME", System.getProperty("java.home"));
        return all;
    }
}
