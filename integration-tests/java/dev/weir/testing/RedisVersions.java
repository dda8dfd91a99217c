package dev.weir.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.testcontainers.DockerClientFactory;
import redis.embedded.core.ExecutableProvider;

/**
 * Every distinct real Redis at hand: the one in a jar, the machine's own, and one from Docker; and Valkey, which speaks the
 * same, where the machine has it.
 */
public final class RedisVersions {
    private static final Duration WITHIN = Duration.ofSeconds(20);
    private static final RedisVersion.Image IMAGE = new RedisVersion.Image("7", "redis:7");

    private RedisVersions() {}

    /**
     * Returns the versions that start here, the one to prefer first; a method source for parameterized tests. What is
     * missing is named in a printed line, once.
     *
     * @throws IllegalStateException if there is none
     */
    public static List<RedisVersion> available() {
        if (Everywhere.VERSIONS.isEmpty()) {
            throw new IllegalStateException("no Redis runs here: install redis-server, or start Docker");
        }
        return Everywhere.VERSIONS;
    }

    /**
     * Returns those of {@link #available} that are programs of this machine: they reach each other.
     *
     * @throws IllegalStateException if there is none
     */
    public static List<RedisVersion> here() {
        if (Here.VERSIONS.isEmpty()) {
            throw new IllegalStateException("no redis-server runs here: install one");
        }
        return Here.VERSIONS;
    }

    /** Returns the first of {@link #available}, and looks no further than that. */
    public static RedisVersion first() {
        return Here.VERSIONS.isEmpty() ? available().getFirst() : Here.VERSIONS.getFirst();
    }

    /** Looks through this machine once, when first asked. */
    private static final class Here {
        static final List<RedisVersion> VERSIONS = executables();
    }

    /** Asks for Docker once, when first asked: without an engine that takes a while and says so at length. */
    private static final class Everywhere {
        static final List<RedisVersion> VERSIONS = withImages(Here.VERSIONS);
    }

    private static List<RedisVersion> executables() {
        var found = new ArrayList<RedisVersion.Executable>();
        embedded().ifPresent(path -> addExecutable(found, "embedded-redis", path));
        onPath("redis-server").ifPresent(path -> addExecutable(found, "PATH", path));
        onPath("valkey-server").ifPresent(path -> addExecutable(found, "PATH", path));
        return List.copyOf(found);
    }

    private static List<RedisVersion> withImages(List<RedisVersion> executables) {
        var found = new ArrayList<>(executables);
        if (DockerClientFactory.instance().isDockerAvailable()) {
            found.add(IMAGE);
        } else {
            missing("%s: no Docker engine answers".formatted(IMAGE));
        }
        return List.copyOf(found);
    }

    private static Optional<Path> embedded() {
        try {
            return Optional.of(
                    ExecutableProvider.newJarResourceProvider().get().toPath().toAbsolutePath());
        } catch (IOException | RuntimeException e) {
            missing("the one of embedded-redis: " + e);
            return Optional.empty();
        }
    }

    private static Optional<Path> onPath(String program) {
        var path = Child.executableOnPath(program);
        if (path.isEmpty()) {
            missing("no %s is on the PATH".formatted(program));
        }
        return path;
    }

    private static void addExecutable(List<RedisVersion.Executable> found, String origin, Path path) {
        var ended = Child.run(WITHIN, List.of(path.toString(), "--version"));
        var version = ended.isWell()
                ? RedisVersion.Executable.thatSays(ended.output(), path, origin)
                : Optional.<RedisVersion.Executable>empty();
        if (version.isEmpty()) {
            missing("%s from %s does not run on this machine: %s"
                    .formatted(path, origin, ended.output().strip()));
        } else if (found.stream().noneMatch(version.get()::saysTheSame)) {
            found.add(version.get());
        }
    }

    private static void missing(String what) {
        System.out.println("Tests go without one Redis: " + what);
    }
}
