package dev.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The program of envoyproxy/ratelimit: the one that RATELIMIT_BIN names, as for {@code make bench-beside}, or else the one
 * that {@code go} builds of the version which the Makefile names, in the place where that target has it too.
 */
public final class GoService {
    private static final Pattern MODULE = Pattern.compile("(?m)^GO_SERVICE = (\\S+/(\\S+)@\\S+)$");
    private static final Duration BUILT_WITHIN = Duration.ofMinutes(15);
    private static final String LEFT = "Weir is not asked beside the Go service";

    private GoService() {}

    /** Returns it, built. Where there is none, the test that asks is skipped or fails: {@link Go#require} says when. */
    public static Path require() {
        var given = System.getenv("RATELIMIT_BIN");
        if (given != null && !given.isEmpty()) {
            return Path.of(given).toAbsolutePath();
        }
        var program = place();
        if (Files.isExecutable(program)) {
            return program;
        }
        Go.require(LEFT);
        return Found.SERVICE.require();
    }

    /** Builds it once, when first asked. */
    private static final class Found {
        static final Sought<Path> SERVICE = build();
    }

    private static Sought<Path> build() {
        System.out.println("Building the Go service (the first time: a minute or two) ...");
        var program = place();
        var command = List.of("env", "GOBIN=" + program.getParent(), "go", "install", module(1));
        var built = Child.run(BUILT_WITHIN, command);
        return built.isWell()
                ? new Sought.Present<>(program)
                : new Sought.Absent<>(LEFT + ", as go says: " + built.output().strip());
    }

    /** Returns where it is kept: the version is part of the path, so that another one is built anew. */
    private static Path place() {
        var module = module(1);
        return Go.PROGRAMS
                .resolve(module.substring(module.lastIndexOf('/') + 1))
                .resolve(module(2));
    }

    private static String module(int group) {
        try {
            var makefile = MODULE.matcher(Files.readString(Path.of("Makefile")));
            if (!makefile.find()) {
                throw new AssertionError("the Makefile names no GO_SERVICE");
            }
            return makefile.group(group);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
