package dev.weir.bench.suite;

import dev.weir.bench.load.BenchException;
import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisServer;
import dev.weir.testing.RedisVersion;
import java.nio.file.Path;

/** The machine's own Redis: the one to measure, for it is built as others build theirs. */
public final class RedisOnPath {
    private static final String REDIS_SERVER = "redis-server";
    private static final String OPTIONS = "REDIS_OPTS"; // as JAVA_OPTS is for the JVM

    private RedisOnPath() {}

    /** Starts it on a free port, with the options of {@code REDIS_OPTS}, as on its command line. */
    public static RedisServer start() {
        return RedisServer.start(version(), options());
    }

    /** Starts a cluster of it in the same way. */
    static RedisCluster startCluster() {
        return RedisCluster.start(version(), options());
    }

    private static String[] options() {
        String options = System.getenv().getOrDefault(OPTIONS, "").strip();
        return options.isEmpty() ? new String[0] : options.split("\\s+");
    }

    /** Returns it, to be started. */
    static RedisVersion version() {
        String told = Servers.output(REDIS_SERVER, "--version");
        return RedisVersion.Executable.thatSays(told, Path.of(REDIS_SERVER), "PATH")
                .orElseThrow(() -> new BenchException(
                        "There is no redis-server on the PATH: install Redis (Debian: apt-get install"
                                + " redis-server), or measure a service that runs already with `weir bench`."));
    }
}
