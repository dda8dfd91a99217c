package dev.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The built service, run as its users run it: {@code bin/weir serve} of the distribution that {@code weir.home} names,
 * configured by its environment and a folder of rule files and by nothing else.
 */
public final class WeirProcess implements AutoCloseable {

    /** The value of a variable that is not to be set, although this class would. */
    public static final String UNSET = "(not set)";

    /** A cold JVM beside other builds takes its time. */
    private static final Duration STARTS_WITHIN = Duration.ofSeconds(60);

    private static final Duration STOPS_WITHIN = Duration.ofSeconds(30);
    private static final String SUBDIRECTORY = "ratelimit";

    private final ScratchFolder folder;
    private final int grpcPort;
    private final int httpPort;
    private final int debugPort;
    private final Child child;

    private WeirProcess(List<String> command, Map<String, String> rules, Map<String, String> environment) {
        folder = ScratchFolder.create("serve");
        var ports = FreePorts.find(3);
        grpcPort = ports[0];
        httpPort = ports[1];
        debugPort = ports[2];
        createFolder(config());
        rules.forEach(this::write);
        child = Child.start("weir", folder.path(), environment(environment), command);
    }

    /**
     * Starts the service with the in-memory store and waits until it is healthy.
     *
     * @param rules name of a rule file, for instance {@code edge.yaml}, to its text
     */
    public static WeirProcess start(Map<String, String> rules) {
        return start(rules, Map.of());
    }

    /**
     * Starts the service and waits until it is healthy.
     *
     * @param rules name of a rule file, for instance {@code edge.yaml}, to its text
     * @param environment what is added to, and wins over, the environment that this class sets
     */
    public static WeirProcess start(Map<String, String> rules, Map<String, String> environment) {
        return healthy(launch(rules, environment));
    }

    /** Starts a program that reads the same environment, as the Go service does, in place of ours; waits until it is healthy. */
    public static WeirProcess start(Path program, Map<String, String> rules, Map<String, String> environment) {
        return healthy(new WeirProcess(List.of(program.toString()), rules, environment));
    }

    private static WeirProcess healthy(WeirProcess started) {
        try {
            started.awaitHealthy();
            return started;
        } catch (AssertionError e) {
            started.close();
            throw e;
        }
    }

    /** Starts the service and does not wait for anything: for tests of the start itself. */
    public static WeirProcess launch(Map<String, String> rules, Map<String, String> environment) {
        return new WeirProcess(List.of(WeirCommand.bin("weir").toString(), "serve"), rules, environment);
    }

    /** Returns the environment that makes {@code redis} the store. */
    public static Map<String, String> on(RedisServer redis) {
        return onRedisAt(redis.address());
    }

    /** Returns the environment that makes {@code cluster} the store. */
    public static Map<String, String> on(RedisCluster cluster) {
        var environment = new HashMap<>(onRedisAt(cluster.addresses().collect(Collectors.joining(","))));
        environment.put("REDIS_TYPE", "CLUSTER");
        return environment;
    }

    /** Returns the environment that makes the master of {@code sentinels} the store. */
    public static Map<String, String> on(RedisSentinels sentinels) {
        var environment = new HashMap<>(
                onRedisAt(RedisSentinels.MASTER + "," + sentinels.addresses().collect(Collectors.joining(","))));
        environment.put("REDIS_TYPE", "SENTINEL");
        return environment;
    }

    /** Returns the environment that makes the Redis behind {@code proxy} the store. */
    public static Map<String, String> on(TcpProxy proxy) {
        return onRedisAt("127.0.0.1:" + proxy.port());
    }

    /** Waits until {@code /healthcheck} says OK; fails with the output if the process ends before or time runs out. */
    public void awaitHealthy() {
        child.awaitReady("Weir is healthy", STARTS_WITHIN, () -> Http.answers(http("/healthcheck"), "OK"));
    }

    /** Writes or rewrites a rule file in one step, as `mv` would: the service never reads half of it. */
    public void write(String file, String text) {
        try {
            var fresh = folder.resolve("fresh"); // on the same file system, outside of the folder that is watched
            Files.writeString(fresh, text);
            Files.move(fresh, config().resolve(file), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes a rule file. */
    public void delete(String file) {
        try {
            Files.delete(config().resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the folder that holds the rule files. */
    public Path config() {
        return folder.resolve("runtime").resolve(SUBDIRECTORY).resolve("config");
    }

    /** Returns the port of gRPC on 127.0.0.1. */
    public int grpcPort() {
        return grpcPort;
    }

    /** Returns the address of {@code path} on the port that serves {@code /json} and {@code /healthcheck}. */
    public URI http(String path) {
        return URI.create("http://127.0.0.1:%d%s".formatted(httpPort, path));
    }

    /** Returns the address of {@code path} on the debug port. */
    public URI debug(String path) {
        return URI.create("http://127.0.0.1:%d%s".formatted(debugPort, path));
    }

    /** Returns whether the process still runs. */
    public boolean isAlive() {
        return child.isAlive();
    }

    /** Returns the number of the process, by which the system knows what it has cost. */
    public long pid() {
        return child.pid();
    }

    /** Returns everything that the service printed so far. */
    public String output() {
        return child.output();
    }

    /** Returns the lines in which it warned of something else than a slow Redis: on a busy machine that is the truth. */
    public List<String> warnings() {
        return output().lines()
                .filter(line -> line.contains("WARN") && !line.contains("Redis did not answer within "))
                .toList();
    }

    /** Waits until the service has printed {@code text}. */
    public void awaitOutput(String text) {
        child.awaitReady("Weir prints '%s'".formatted(text), Eventually.DEADLINE, () -> output().contains(text));
    }

    /** Asks the service to end (SIGTERM), waits until it has, and returns its exit value. */
    public int stop() {
        return child.stop(STOPS_WITHIN);
    }

    /** Asks the service to end (SIGTERM), and returns at once. */
    public void terminate() {
        child.terminate();
    }

    /** Waits until the service has ended by itself; returns its exit value. */
    public int awaitEnd() {
        return child.awaitEnd(STARTS_WITHIN);
    }

    /** Ends the service at once (SIGKILL). */
    public void kill() {
        child.kill();
    }

    @Override
    public void close() {
        child.close();
        folder.close();
    }

    private static void createFolder(Path path) {
        try {
            Files.createDirectories(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** With patience: tests ask what is counted and not how soon, on machines that stand still. Those of the timeout set their own. */
    private static Map<String, String> onRedisAt(String address) {
        return Map.of(
                "BACKEND_TYPE", "redis",
                "REDIS_SOCKET_TYPE", "tcp",
                "REDIS_URL", address,
                "STORE_TIMEOUT", "5s");
    }

    private Map<String, String> environment(Map<String, String> wishes) {
        var all = WeirCommand.inherited();
        all.putAll(Map.of("GRPC_HOST", "127.0.0.1", "GRPC_PORT", Integer.toString(grpcPort)));
        all.putAll(Map.of("HOST", "127.0.0.1", "PORT", Integer.toString(httpPort)));
        all.putAll(Map.of("DEBUG_HOST", "127.0.0.1", "DEBUG_PORT", Integer.toString(debugPort)));
        all.putAll(Map.of("RUNTIME_ROOT", folder.resolve("runtime").toString(), "RUNTIME_SUBDIRECTORY", SUBDIRECTORY));
        all.putAll(Map.of("RUNTIME_WATCH_ROOT", "false", "RUNTIME_IGNOREDOTFILES", "true"));
        all.putAll(Map.of("BACKEND_TYPE", "memory", "USE_STATSD", "false"));
        all.put("WARM_UP", "0s"); // tests are in a hurry, and none of them minds a slow first answer
        all.put("DRAIN_DELAY", "0s"); // nobody routes to a test's process: nothing has to notice that it leaves
        all.putAll(wishes);
        all.values().removeIf(UNSET::equals);
        return all;
    }
}
