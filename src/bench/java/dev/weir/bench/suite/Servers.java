package dev.weir.bench.suite;

import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The Redis and the Weir that are measured: child processes on free ports, gone with the measurement. */
final class Servers implements AutoCloseable {
    private static final Pattern PROCESS_ID = Pattern.compile("process_id:(\\d+)");

    /** Handed on to the service, so that it can be measured with other flags, or profiled. */
    private static final List<String> FLAGS_OF_THE_JVM = List.of("JAVA_OPTS", "WEIR_HEAP");

    private static final String FILE = "bench.yaml";

    private final @Nullable RedisServer redis;
    private final WeirProcess weir;

    private Servers(@Nullable RedisServer redis, WeirProcess weir) {
        this.redis = redis;
        this.weir = weir;
    }

    /** Starts what a scenario needs, empty, and waits until it is healthy. */
    static Servers start(Scenario scenario) {
        return start(scenario.isOnRedis(), scenario.rules(), Map.of());
    }

    /** Starts a Weir with these rules and settings, in memory or with a Redis of its own, and waits until it is healthy. */
    static Servers start(boolean isOnRedis, String rules, Map<String, String> settings) {
        return isOnRedis ? onRedis(settings, all -> weir(rules, all)) : new Servers(null, weir(rules, settings));
    }

    /** Starts another program that reads what Weir reads, with a Redis of its own, and waits until it is healthy. */
    static Servers start(Path program, String rules, Map<String, String> settings) {
        return onRedis(settings, all -> WeirProcess.start(program, Map.of(FILE, rules), all));
    }

    private static Servers onRedis(Map<String, String> settings, Function<Map<String, String>, WeirProcess> started) {
        var redis = RedisOnPath.start();
        try {
            var all = new HashMap<>(settings);
            all.putAll(on(redis));
            return new Servers(redis, started.apply(all));
        } catch (AssertionError e) {
            redis.close();
            throw e;
        }
    }

    /** Returns the environment that makes {@code redis} the store, as users have it. */
    static Map<String, String> on(RedisServer redis) {
        return asUsersHaveIt(WeirProcess.on(redis));
    }

    /** Returns the environment that makes {@code cluster} the store, as users have it. */
    static Map<String, String> on(RedisCluster cluster) {
        return asUsersHaveIt(WeirProcess.on(cluster));
    }

    /** Tests are patient with a store. Here a call that takes too long shall end as it does for users. */
    private static Map<String, String> asUsersHaveIt(Map<String, String> ofTests) {
        var environment = new HashMap<>(ofTests);
        environment.remove("STORE_TIMEOUT");
        return environment;
    }

    /** Starts a Weir with these rules. */
    static WeirProcess weir(String rules, Map<String, String> settings) {
        var environment = new HashMap<>(settings);
        environment.putIfAbsent("WARM_UP", "1s"); // as users have it
        for (String name : FLAGS_OF_THE_JVM) {
            String value = System.getenv(name);
            if (value != null) {
                environment.put(name, value);
            }
        }
        return WeirProcess.start(Map.of(FILE, rules), environment);
    }

    /** Returns what a command prints, nothing if there is no such program. */
    static String output(String... command) {
        try {
            var process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException _) {
            return "";
        }
    }

    /** Returns the Redis, or null if counts are kept in memory. */
    @Nullable
    RedisServer redis() {
        return redis;
    }

    /** Returns the processes. */
    Target target() {
        return target(weir, redis);
    }

    static Target target(WeirProcess weir, @Nullable RedisServer redis) {
        return new Target(weir.grpcPort(), weir.pid(), redis == null ? Target.NONE : pidOf(redis));
    }

    static long pidOf(RedisServer redis) {
        var pid = PROCESS_ID.matcher(String.valueOf(redis.command("INFO", "server")));
        return pid.find() ? Long.parseLong(pid.group(1)) : Target.NONE;
    }

    @Override
    public void close() {
        weir.close();
        if (redis != null) {
            redis.close();
        }
    }
}
