package dev.weir.testing;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** The {@code promtool} of this machine, which comes with Prometheus. */
public final class Promtool {
    private static final Duration WITHIN = Duration.ofMinutes(1);
    private static final String ABSENT =
            "The alerts are not tried: there is no promtool on the PATH (Debian: apt-get install prometheus).";

    private final Path program;

    private Promtool(Path program) {
        this.program = program;
    }

    /**
     * Returns the one on the PATH. Where there is none, the test that asks is skipped and the reason printed: only Debian's
     * packages have it, and it is no part of the service.
     */
    public static Promtool require() {
        var found = Child.executableOnPath("promtool");
        if (found.isPresent()) {
            return new Promtool(found.get());
        }
        System.out.println(ABSENT);
        return Assumptions.abort(ABSENT);
    }

    /** Runs it, and fails with what it printed if it finds a mistake. */
    public String run(String... arguments) {
        var command = new ArrayList<String>();
        command.add(program.toString());
        command.addAll(List.of(arguments));
        var ended = Child.run(WITHIN, command);
        if (!ended.isWell()) {
            throw new AssertionError("%s: %s".formatted(String.join(" ", command), ended.output()));
        }
        return ended.output();
    }
}
