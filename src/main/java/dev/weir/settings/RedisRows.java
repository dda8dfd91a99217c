package dev.weir.settings;

import dev.weir.settings.table.Environment;
import dev.weir.settings.table.Kind;
import dev.weir.settings.table.Rows;
import dev.weir.settings.table.Setting;
import dev.weir.settings.table.Setting.Group;
import java.time.Duration;
import java.util.List;

/** The variables that tell where Redis is and how it is used, and what must hold between them. */
final class RedisRows {
    private static final Rows ROWS = new Rows(Group.REDIS);

    static final Setting<RedisSettings.Layout> REDIS_TYPE = ROWS.add(
            "REDIS_TYPE",
            "SINGLE",
            Kind.word(
                    List.of("single", "cluster"),
                    List.of("sentinel"),
                    word -> word.equals("cluster") ? RedisSettings.Layout.CLUSTER : RedisSettings.Layout.SINGLE),
            "How Redis is laid out: one address that takes every key, or a Redis Cluster. `SENTINEL` is not supported"
                    + " yet.");
    static final Setting<String> REDIS_SOCKET_TYPE = ROWS.add(
            "REDIS_SOCKET_TYPE",
            "",
            Kind.word("tcp", "unix", ""),
            "How to connect. Not set: what `REDIS_URL` looks like.");
    static final Setting<RedisUrl> REDIS_URL = ROWS.add(
            "REDIS_URL",
            "/var/run/nutcracker/ratelimit.sock",
            RedisUrl.KIND,
            "Where Redis listens; of a cluster some of its nodes, of which one must answer at start.");
    static final Setting<String> REDIS_AUTH = ROWS.add(
            "REDIS_AUTH", "", Kind.TEXT, "`password` or `user:password`; wins over those of `REDIS_URL`. A secret.");
    static final Setting<Duration> REDIS_TIMEOUT = ROWS.add(
            "REDIS_TIMEOUT",
            "10s",
            Kind.duration(Duration.ofMillis(1), Duration.ofHours(1)),
            "How long a connection may take to be made.");
    static final Setting<Boolean> REDIS_HEALTH_CHECK_ACTIVE_CONNECTION = ROWS.add(
            "REDIS_HEALTH_CHECK_ACTIVE_CONNECTION",
            "false",
            Kind.SWITCH,
            "Be unhealthy while there is no connection to Redis.");
    static final Setting<String> CACHE_KEY_PREFIX =
            ROWS.add("CACHE_KEY_PREFIX", "", Kind.KEY_PREFIX, "What the key of every counter begins with.");
    static final Setting<Integer> REDIS_HASH_TAGS = ROWS.add(
            "REDIS_HASH_TAGS",
            "16",
            Kind.POWER_OF_TWO_TO_4096,
            "Into how many hash tags counters are spread. Another number starts every counter anew.");
    static final Setting<Integer> REDIS_IN_FLIGHT = ROWS.add(
            "REDIS_IN_FLIGHT",
            "2",
            Kind.number(1, 8),
            "How many batches may be under way to one node; in a cluster, to the counters of one hash tag.");

    private RedisRows() {}

    static List<Setting<?>> rows() {
        return ROWS.all();
    }

    /** Keeps the mistakes of settings that are right each by itself. */
    static void check(Environment environment) {
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
}
