package dev.weir.settings;

import static dev.weir.settings.Setting.Group.ANSWERS;
import static dev.weir.settings.Setting.Group.BACKEND;
import static dev.weir.settings.Setting.Group.BOUNDS;
import static dev.weir.settings.Setting.Group.LIFE;
import static dev.weir.settings.Setting.Group.LOG;
import static dev.weir.settings.Setting.Group.NOT_YET;
import static dev.weir.settings.Setting.Group.REDIS;
import static dev.weir.settings.Setting.Group.RULES;
import static dev.weir.settings.Setting.Group.SERVERS;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Every variable that is read, once: the reader, the checks and {@code docs/configuration.md} all come from here.
 *
 * <p>None of ours may be called {@code WEIR_..._PORT}, {@code _HOST} or {@code _ADDR}: Kubernetes sets such names for a
 * service called weir.
 */
final class SettingsTable {
    private static final List<Setting<?>> ALL = new ArrayList<>();

    private static final Kind<Duration> UP_TO_AN_HOUR = Kind.duration(Duration.ZERO, Duration.ofHours(1));
    private static final Kind<Path> PATH = Kind.of("a path", text -> text.indexOf('\0') < 0 ? Path.of(text) : null);

    static final Setting<String> HOST =
            add(SERVERS, "HOST", "0.0.0.0", Kind.HOST, "Where HTTP (`/json`, `/healthcheck`) listens.");
    static final Setting<Integer> PORT = add(SERVERS, "PORT", "8080", Kind.PORT, "Its port.");
    static final Setting<String> GRPC_HOST =
            add(SERVERS, "GRPC_HOST", "0.0.0.0", Kind.HOST, "Where gRPC (`ShouldRateLimit`, health) listens.");
    static final Setting<Integer> GRPC_PORT = add(SERVERS, "GRPC_PORT", "8081", Kind.PORT, "Its port.");
    static final Setting<String> DEBUG_HOST = add(
            SERVERS,
            "DEBUG_HOST",
            "127.0.0.1",
            Kind.HOST,
            "Where `/rlconfig` and `/stats` listen; only this machine may ask, unless told otherwise (the Go service:"
                    + " everyone).");
    static final Setting<Integer> DEBUG_PORT = add(SERVERS, "DEBUG_PORT", "6070", Kind.PORT, "Its port.");

    static final Setting<Logging.Level> LOG_LEVEL = add(
            LOG,
            "LOG_LEVEL",
            "INFO",
            Kind.word(Logging.Level.WORDS, List.of(), Logging.Level::of),
            "What is written: this and all that is worse (the Go service: `warn`). `panic` and `fatal` are `error`.");
    static final Setting<Logging.Format> LOG_FORMAT = add(
            LOG,
            "LOG_FORMAT",
            "text",
            Kind.word(
                    List.of("text", "json"),
                    List.of(),
                    word -> word.equals("json") ? Logging.Format.JSON : Logging.Format.TEXT),
            "Lines for people, or one JSON object a line with `@timestamp`, `level`, `@message`.");

    static final Setting<Path> RUNTIME_ROOT =
            add(RULES, "RUNTIME_ROOT", "/srv/runtime_data/current", PATH, "The directory that holds the rule files.");
    static final Setting<String> RUNTIME_SUBDIRECTORY =
            add(RULES, "RUNTIME_SUBDIRECTORY", "", Kind.TEXT, "A directory below the root.");
    static final Setting<String> RUNTIME_APPDIRECTORY = add(
            RULES, "RUNTIME_APPDIRECTORY", "config", Kind.TEXT, "A directory below that, with the files themselves.");
    static final Setting<Boolean> RUNTIME_IGNOREDOTFILES =
            add(RULES, "RUNTIME_IGNOREDOTFILES", "false", Kind.SWITCH, "Pass over names that begin with a dot.");
    static final Setting<Boolean> RUNTIME_WATCH_ROOT = add(
            RULES,
            "RUNTIME_WATCH_ROOT",
            "true",
            Kind.SWITCH,
            "Reload when the root itself is swapped (a symbolic link); `false`: when a file changes.");
    static final Setting<Boolean> MERGE_DOMAIN_CONFIG =
            add(RULES, "MERGE_DOMAIN_CONFIG", "false", Kind.SWITCH, "Let several files write rules for one domain.");

    static final Setting<Boolean> SHADOW_MODE =
            add(ANSWERS, "SHADOW_MODE", "false", Kind.SWITCH, "Count and report, but refuse nothing.");
    static final Setting<Boolean> QUOTA_MODE =
            add(ANSWERS, "QUOTA_MODE", "false", Kind.SWITCH, "Refuse only if all descriptors of a request are over.");
    static final Setting<Boolean> STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT = add(
            ANSWERS,
            "STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT",
            "false",
            Kind.SWITCH,
            "Leave the counters of a refused request alone: fixed windows that state no `charge` have `on_admit` in place"
                    + " of `always`.");
    static final Setting<Boolean> RESPONSE_DYNAMIC_METADATA =
            add(ANSWERS, "RESPONSE_DYNAMIC_METADATA", "false", Kind.SWITCH, "Answer with dynamic metadata.");
    static final Setting<Boolean> LIMIT_RESPONSE_HEADERS_ENABLED = add(
            ANSWERS, "LIMIT_RESPONSE_HEADERS_ENABLED", "false", Kind.SWITCH, "Answer with the three headers below.");
    static final Setting<String> LIMIT_LIMIT_HEADER =
            add(ANSWERS, "LIMIT_LIMIT_HEADER", "RateLimit-Limit", Kind.HEADER, "The limit.");
    static final Setting<String> LIMIT_REMAINING_HEADER =
            add(ANSWERS, "LIMIT_REMAINING_HEADER", "RateLimit-Remaining", Kind.HEADER, "What is left of it.");
    static final Setting<String> LIMIT_RESET_HEADER =
            add(ANSWERS, "LIMIT_RESET_HEADER", "RateLimit-Reset", Kind.HEADER, "Seconds until it resets.");

    static final Setting<String> BACKEND_TYPE = add(
            BACKEND,
            "BACKEND_TYPE",
            "",
            Kind.word(List.of("redis", "memory", ""), List.of("memcache"), word -> word),
            "`redis` counts for all replicas together, `memory` for this process alone. Not set: `redis` if a variable of"
                    + " Redis is set, else `memory`; the log says so.");
    static final Setting<Duration> STORE_TIMEOUT = add(
            BACKEND,
            "STORE_TIMEOUT",
            "15ms",
            Kind.duration(Duration.ofMillis(1), Duration.ofMinutes(1)),
            "How long the store may take for an answer; never beyond the caller's own deadline.");
    static final Setting<OptionalLong> LOCAL_CACHE_SIZE_IN_BYTES = add(
            BACKEND,
            "LOCAL_CACHE_SIZE_IN_BYTES",
            "",
            Kind.BYTES,
            "Room for remembering which counters in Redis are over their limit, so that they are refused without asking it;"
                    + " 0: none. Not set: a twentieth of the heap; never more than a quarter of it.");
    static final Setting<Integer> MEMORY_MAX_COUNTERS = add(
            BACKEND,
            "MEMORY_MAX_COUNTERS",
            "1000000",
            Kind.number(1, 100_000_000),
            "How many counters `memory` keeps at most.");

    static final Setting<RedisSettings.Layout> REDIS_TYPE = add(
            REDIS,
            "REDIS_TYPE",
            "SINGLE",
            Kind.word(
                    List.of("single", "cluster"),
                    List.of("sentinel"),
                    word -> word.equals("cluster") ? RedisSettings.Layout.CLUSTER : RedisSettings.Layout.SINGLE),
            "How Redis is laid out: one address that takes every key, or a Redis Cluster. `SENTINEL` is not supported"
                    + " yet.");
    static final Setting<String> REDIS_SOCKET_TYPE = add(
            REDIS,
            "REDIS_SOCKET_TYPE",
            "",
            Kind.word("tcp", "unix", ""),
            "How to connect. Not set: what `REDIS_URL` looks like.");
    static final Setting<RedisUrl> REDIS_URL = add(
            REDIS,
            "REDIS_URL",
            "/var/run/nutcracker/ratelimit.sock",
            Kind.REDIS_URL,
            "Where Redis listens; of a cluster some of its nodes, of which one must answer at start.");
    static final Setting<String> REDIS_AUTH = add(
            REDIS,
            "REDIS_AUTH",
            "",
            Kind.TEXT,
            "`password` or `user:password`; wins over those of `REDIS_URL`. A secret.");
    static final Setting<Duration> REDIS_TIMEOUT = add(
            REDIS,
            "REDIS_TIMEOUT",
            "10s",
            Kind.duration(Duration.ofMillis(1), Duration.ofHours(1)),
            "How long a connection may take to be made.");
    static final Setting<Boolean> REDIS_HEALTH_CHECK_ACTIVE_CONNECTION = add(
            REDIS,
            "REDIS_HEALTH_CHECK_ACTIVE_CONNECTION",
            "false",
            Kind.SWITCH,
            "Be unhealthy while there is no connection to Redis.");
    static final Setting<String> CACHE_KEY_PREFIX =
            add(REDIS, "CACHE_KEY_PREFIX", "", Kind.KEY_PREFIX, "What the key of every counter begins with.");
    static final Setting<Integer> REDIS_HASH_TAGS = add(
            REDIS,
            "REDIS_HASH_TAGS",
            "16",
            Kind.POWER_OF_TWO_TO_4096,
            "Into how many hash tags counters are spread. Another number starts every counter anew.");
    static final Setting<Integer> REDIS_IN_FLIGHT = add(
            REDIS,
            "REDIS_IN_FLIGHT",
            "2",
            Kind.number(1, 8),
            "How many batches may be under way to one node; in a cluster, to the counters of one hash tag.");

    static final Setting<Integer> MAX_DESCRIPTORS =
            add(BOUNDS, "MAX_DESCRIPTORS", "64", Kind.number(1, 10_000), "Descriptors of a request.");
    static final Setting<Integer> MAX_ENTRIES =
            add(BOUNDS, "MAX_ENTRIES", "32", Kind.number(1, 10_000), "Entries of a descriptor.");
    static final Setting<Integer> MAX_MESSAGE_BYTES =
            add(BOUNDS, "MAX_MESSAGE_BYTES", "1048576", Kind.number(1, 64 << 20), "Bytes of a request.");
    static final Setting<Integer> MAX_HITS =
            add(BOUNDS, "MAX_HITS", "1000000000", Kind.number(1, 1_000_000_000), "Hits of a descriptor.");

    static final Setting<Boolean> HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED = add(
            LIFE,
            "HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED",
            "false",
            Kind.SWITCH,
            "Be unhealthy until rules of a domain are loaded.");
    static final Setting<Duration> DRAIN_DELAY =
            add(LIFE, "DRAIN_DELAY", "5s", UP_TO_AN_HOUR, "How long to answer on after SIGTERM, already unhealthy.");
    static final Setting<Duration> DRAIN_TIMEOUT =
            add(LIFE, "DRAIN_TIMEOUT", "30s", UP_TO_AN_HOUR, "How long requests under way may then take to end.");
    static final Setting<Boolean> WEIR_HINTS =
            add(LIFE, "WEIR_HINTS", "false", Kind.SWITCH, "Say at start how to try the service; `make run` sets it.");

    static {
        add(NOT_YET, "CONFIG_TYPE", "FILE", fileOnly(), "Rules from an xDS server (`GRPC_XDS_SOTW`).");
        add(NOT_YET, "GRPC_UDS", "", Kind.EMPTY, "gRPC on a Unix socket.");
        add(NOT_YET, "GRPC_SERVER_USE_TLS", "false", Kind.OFF, "TLS for callers.");
        add(NOT_YET, "REDIS_TLS", "false", Kind.OFF, "TLS to Redis.");
        add(NOT_YET, "REDIS_PERSECOND", "false", Kind.OFF, "A second Redis for limits per second.");
    }

    private SettingsTable() {}

    /** Returns the rows in the order of the documentation. */
    static List<Setting<?>> all() {
        return Collections.unmodifiableList(ALL);
    }

    /** Reads every row, so that every mistake is found, and those between two rows. */
    static Environment check(Map<String, String> variables) throws SettingsException {
        var environment = new Environment(variables);
        ALL.forEach(environment::read);
        checkRedis(environment);
        environment.throwMistakes();
        return environment;
    }

    private static void checkRedis(Environment environment) {
        RedisUrl url = environment.read(REDIS_URL);
        String socketType = environment.read(REDIS_SOCKET_TYPE);
        boolean isSocket = url.addresses().getFirst() instanceof RedisSettings.Address.Socket;
        if (!socketType.isEmpty() && isSocket != socketType.equals("unix")) {
            environment.contradict(
                    REDIS_SOCKET_TYPE,
                    isSocket
                            ? "give `REDIS_URL` as `host:port`, for it is the path of a socket"
                            : "give `REDIS_URL` as the path of a socket, or `tcp` here");
        }
        switch (environment.read(REDIS_TYPE)) {
            case SINGLE -> {
                if (url.addresses().size() > 1) {
                    environment.contradict(REDIS_URL, "give one address, or `CLUSTER` as `REDIS_TYPE`");
                }
            }
            case CLUSTER -> {
                if (isSocket) {
                    environment.contradict(REDIS_URL, "give nodes of the cluster as `host:port,host:port`");
                } else if (url.database() != 0) {
                    environment.contradict(REDIS_URL, "give no database, for a cluster has only one");
                }
            }
        }
    }

    private static Kind<String> fileOnly() {
        return Kind.word(List.of("file"), List.of("grpc_xds_sotw"), word -> word);
    }

    private static <T> Setting<T> add(Setting.Group group, String name, String preset, Kind<T> kind, String meaning) {
        var setting = new Setting<>(group, name, preset, kind, meaning);
        ALL.add(setting);
        return setting;
    }
}
