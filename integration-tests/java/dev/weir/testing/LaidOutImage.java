package dev.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The image that a Dockerfile describes, laid out in a folder without a container: its steps are run here, with every path of
 * the image moved below that folder. The step that runs Maven is left out, since {@code weir.home} has what it makes.
 */
public final class LaidOutImage implements AutoCloseable {
    /** The user of the image, who owns nothing. */
    private static final String NOBODY = "65534";

    /** Linking a Java, and training it, on a machine that builds other things. */
    private static final Duration STEP_WITHIN = Duration.ofMinutes(4);

    private static final Duration STARTS_WITHIN = Duration.ofSeconds(60);
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(30);

    private static final Pattern PATH_OF_IMAGE =
            Pattern.compile("(?<![\\w./*-])/(?=opt/|weir/|bin/(?:weir|ratelimit)\\b|usr/java/)");
    private static final Pattern MOUNT = Pattern.compile("--mount=\\S+\\s+");

    private final ScratchFolder folder;

    private LaidOutImage(ScratchFolder folder) {
        this.folder = folder;
    }

    /** Runs the steps of {@code dockerfile}. */
    public static LaidOutImage of(Dockerfile dockerfile) {
        var image = new LaidOutImage(ScratchFolder.create("image"));
        try {
            image.prepare();
            dockerfile.instructions().forEach(image::follow);
            image.sh("chmod -R a-w,a+rX . && chmod -R a-w tmp");
            return image;
        } catch (AssertionError | RuntimeException e) {
            image.close();
            throw e;
        }
    }

    /** Returns whether a process can be started here as the user of the image: whether we are root, and have setpriv. */
    public static boolean canBecomeNobody() {
        return "root".equals(System.getProperty("user.name"))
                && Child.executableOnPath("setpriv").isPresent();
    }

    /** Returns where a path of the image lies. */
    public Path at(String path) {
        return folder.resolve(path.substring(1));
    }

    /**
     * Starts a program of the image as its user, with nothing in its environment but what the image and {@code environment}
     * give, and with no temporary folder that it could write to.
     *
     * @param program its path in the image
     */
    public Running start(String program, Map<String, String> environment) {
        var all = new HashMap<>(Map.of(
                "PATH", System.getenv("PATH"), "JAVA_HOME", at("/opt/java").toString()));
        all.put("JAVA_OPTS", "-Djava.io.tmpdir=" + at("/tmp"));
        all.put(
                "LD_LIBRARY_PATH",
                at("/usr/java/packages/lib").toString()); // where Java looks for /usr/java/packages/lib
        all.putAll(environment);
        var command = List.of(
                "setpriv",
                "--reuid",
                NOBODY,
                "--regid",
                NOBODY,
                "--clear-groups",
                at(program).toString());
        var log = ScratchFolder.create("image-log");
        return new Running(log, Child.start("ratelimit", log.path(), all, command));
    }

    /** A process of the image. */
    public static final class Running implements AutoCloseable {
        private final ScratchFolder log;
        private final Child child;

        private Running(ScratchFolder log, Child child) {
            this.log = log;
            this.child = child;
        }

        /** Waits until {@code /healthcheck} on this port says OK. */
        public void awaitHealthy(int httpPort) {
            var uri = URI.create("http://127.0.0.1:%d/healthcheck".formatted(httpPort));
            child.awaitReady("the image is healthy", STARTS_WITHIN, () -> Http.answers(uri, "OK"));
        }

        /** Returns what it printed so far. */
        public String output() {
            return child.output();
        }

        /** Returns the files that are mapped into its memory, as the system lists them. */
        public String maps() {
            return read(Path.of("/proc/%d/maps".formatted(child.pid())));
        }

        /** Returns the numbers of its real and effective user, as the system lists them. */
        public String user() {
            return read(Path.of("/proc/%d/status".formatted(child.pid())))
                    .lines()
                    .filter(line -> line.startsWith("Uid:"))
                    .findFirst()
                    .orElseThrow();
        }

        /** Asks it to end, and returns its exit value. */
        public int stop() {
            return child.stop(STOPS_WITHIN);
        }

        @Override
        public void close() {
            child.close();
            log.close();
        }
    }

    @Override
    public void close() {
        sh("chmod -R u+w .");
        folder.close();
    }

    /** Begins with what the image of the first stage holds: its JDK lies in {@code /opt/java/openjdk}. */
    private void prepare() {
        sh(
                "mkdir -p opt/java/openjdk bin tmp weir/target usr/java/packages && chmod 755 . && cp -a '%s' weir/target/weir"
                        .formatted(WeirCommand.bin("weir").resolve("../..").normalize()));
        sh("rm -f weir/target/weir/lib/*.aot");
    }

    private void follow(Dockerfile.Instruction instruction) {
        switch (instruction.keyword()) {
            case "RUN" -> {
                var command = MOUNT.matcher(instruction.arguments()).replaceAll("");
                if (!command.startsWith("mvn ")) {
                    sh(moved(command));
                }
            }
            case "COPY" -> {
                var words = instruction.arguments().split("\\s+", -1);
                if (words[0].equals("--from=build") && !words[1].equals(words[2])) {
                    sh("mkdir -p '%2$s' && cp -a '%1$s/.' '%2$s'".formatted(at(words[1]), at(words[2])));
                }
            }
            default -> {
                // The others make no files: ImageIT reads them.
            }
        }
    }

    private String moved(String command) {
        return PATH_OF_IMAGE.matcher(command).replaceAll(Matcher.quoteReplacement(folder.path() + "/"));
    }

    /** Runs a command in the folder, with the Java of the image once there is one. */
    private void sh(String command) {
        var build = Path.of(System.getProperty("java.home"));
        var java = Files.exists(at("/opt/java/release")) ? at("/opt/java") : build;
        var environment =
                Map.of("PATH", build.resolve("bin") + ":" + System.getenv("PATH"), "JAVA_HOME", java.toString());
        var inFolder = "cd '%s' && { %s; }".formatted(folder.path(), command);
        try (var log = ScratchFolder.create("image-step");
                var child = Child.start("step", log.path(), environment, List.of("sh", "-e", "-c", inFolder))) {
            int exitCode = child.awaitEnd(STEP_WITHIN);
            if (exitCode != 0) {
                throw new AssertionError("step ended with %d: %s%n%s".formatted(exitCode, command, child.output()));
            }
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
