package dev.weir.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A process that a test started and owns: its output is kept in a file, and it does not outlive this JVM. */
final class Child implements AutoCloseable {
    private static final Duration BUSY_AT_MOST = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(5);

    private final String name;
    private final Process process;
    private final Path log;
    private final Thread reaper;

    private Child(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.reaper = new Thread(process::destroyForcibly, "reaper of " + name);
    }

    /**
     * Starts {@code command} in {@code folder}, where its output goes to {@code name.log}.
     *
     * @param environment all that it inherits; null hands on the environment of this JVM
     */
    static Child start(String name, Path folder, @Nullable Map<String, String> environment, List<String> command) {
        var log = folder.resolve(name + ".log");
        var builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        if (environment != null) {
            builder.environment().clear();
            builder.environment().putAll(environment);
        }
        try {
            var child = new Child(name, begin(builder), log);
            Runtime.getRuntime().addShutdownHook(child.reaper);
            return child;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Linux runs no program that somebody has open to write. A process that another thread of ours starts at that moment has it
     * open until it becomes what it shall be: whoever has just written a program tries until it has.
     */
    private static Process begin(ProcessBuilder builder) throws IOException {
        long end = System.nanoTime() + BUSY_AT_MOST.toNanos();
        while (true) {
            try {
                return builder.start();
            } catch (IOException e) {
                if (!String.valueOf(e.getMessage()).contains("Text file busy") || System.nanoTime() - end > 0) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    /** How a command ended: whether with 0 and in time, and what it printed. */
    record Ended(boolean isWell, String output) {}

    /** Runs a command to its end, or to its death after {@code within}. */
    static Ended run(Duration within, List<String> command) {
        try (var folder = ScratchFolder.create("run");
                var child = start("command", folder.path(), null, command)) {
            boolean isWell = child.waitFor(within) && child.process.exitValue() == 0;
            return new Ended(isWell, child.output());
        } catch (UncheckedIOException e) {
            return new Ended(false, String.valueOf(e.getMessage())); // there is no such program here
        }
    }

    /** Returns the first executable called {@code name} on the PATH. */
    static Optional<Path> executableOnPath(String name) {
        for (var folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            var candidate = Path.of(folder, name);
            if (!folder.isEmpty() && Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    /** Returns everything printed so far. */
    String output() {
        try {
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until {@code condition} holds; fails with the output if the process ends before that or time runs out. */
    void awaitReady(String what, Duration within, BooleanSupplier condition) {
        try {
            Eventually.await(what, within, () -> condition.getAsBoolean() || !process.isAlive());
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + described(), e);
        }
        if (!process.isAlive()) {
            throw new AssertionError(
                    "%s ended with %d before: %s%s".formatted(name, process.exitValue(), what, described()));
        }
    }

    /** Holds the process still (SIGSTOP). Its sockets stay open, and nothing is answered. */
    void pause() {
        signal("STOP");
        var stat = Path.of("/proc/%d/stat".formatted(process.pid()));
        if (Files.exists(stat)) { // elsewhere than on Linux the signal must do without a proof
            Eventually.await(name + " stands still", () -> stateIn(stat) == 'T');
        }
    }

    /** Lets a paused process go on (SIGCONT). */
    void resume() {
        signal("CONT");
    }

    /** Asks the process to end (SIGTERM) and waits until it has; returns its exit value. */
    int stop(Duration within) {
        terminate();
        return awaitEnd(within);
    }

    /** Asks the process to end (SIGTERM). */
    void terminate() {
        process.destroy();
    }

    /** Waits until the process has ended; returns its exit value. */
    int awaitEnd(Duration within) {
        if (!waitFor(within)) {
            throw new AssertionError("%s did not end within %d s%s".formatted(name, within.toSeconds(), described()));
        }
        return process.exitValue();
    }

    /** Ends the process at once (SIGKILL), also a paused one, and waits until it is gone. */
    void kill() {
        process.destroyForcibly();
        if (!waitFor(Eventually.DEADLINE)) {
            throw new AssertionError(name + " survived SIGKILL");
        }
    }

    @Override
    public void close() {
        kill();
        try {
            Runtime.getRuntime().removeShutdownHook(reaper);
        } catch (IllegalStateException _) {
            // the JVM is going down and the hook runs anyway
        }
    }

    private void signal(String signal) {
        var command = "kill -%s %d".formatted(signal, process.pid());
        if (!run(Eventually.DEADLINE, List.of("sh", "-c", command)).isWell()) {
            throw new AssertionError("could not send SIG%s to %s".formatted(signal, name));
        }
    }

    private boolean waitFor(Duration within) {
        try {
            return process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for " + name, e);
        }
    }

    private String described() {
        return "%n--- output of %s ---%n%s".formatted(name, output());
    }

    private static char stateIn(Path stat) {
        try {
            var text = Files.readString(stat, StandardCharsets.ISO_8859_1);
            return text.charAt(text.lastIndexOf(')') + 2); // the name before it may hold anything
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
