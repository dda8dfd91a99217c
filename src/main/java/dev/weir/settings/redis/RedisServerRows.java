package dev.weir.settings.redis;

import dev.weir.settings.redis.RedisSettings.Address;
import dev.weir.settings.redis.RedisSettings.Credentials;
import dev.weir.settings.redis.RedisSettings.Layout;
import dev.weir.settings.table.Environment;
import dev.weir.settings.table.Kind;
import dev.weir.settings.table.Rows;
import dev.weir.settings.table.Secret;
import dev.weir.settings.table.Setting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The variables that tell where one Redis is and how it lets us in; a second one has the same with another prefix. */
final class RedisServerRows {
    final Setting<Layout> type;
    final Setting<RedisUrl> url;
    final Setting<Boolean> tls;
    final Setting<Duration> timeout;
    private final Setting<String> socketType;
    private final Secret auth;
    private final Secret sentinelAuth;
    private final String prefix;

    RedisServerRows(Rows rows, String prefix, String socket) {
        this.prefix = prefix;
        type = rows.add(
                prefix + "TYPE",
                "SINGLE",
                Kind.word(List.of("single", "sentinel", "cluster"), List.of(), word -> switch (word) {
                    case "sentinel" -> Layout.SENTINEL;
                    case "cluster" -> Layout.CLUSTER;
                    default -> Layout.SINGLE;
                }),
                "How Redis is laid out: one address that takes every key, a master that sentinels watch, or a Redis"
                        + " Cluster.");
        socketType = rows.add(
                prefix + "SOCKET_TYPE",
                "",
                Kind.word("tcp", "unix", ""),
                "How to connect to a single Redis. Not set: what `" + prefix + "URL` looks like.");
        url = rows.add(
                prefix + "URL",
                socket,
                RedisUrl.KIND,
                "Where Redis listens; of a cluster some of its nodes; the name of a master and some of its sentinels. One of"
                        + " several must answer at start.");
        auth = Secret.add(
                rows,
                prefix + "AUTH",
                Kind.TEXT,
                "`password` or `user:password`; wins over those of `" + prefix
                        + "URL`, which are for sentinels where it names some.",
                "every second for the next connections, and with sentinels once");
        sentinelAuth = Secret.add(
                rows,
                prefix + "SENTINEL_AUTH",
                Kind.TEXT,
                "The same for the sentinels, if they ask for it; wins over those of `" + prefix + "URL`.");
        tls = rows.add(
                prefix + "TLS",
                "false",
                Kind.SWITCH,
                "Encrypt connections, also those to sentinels; `rediss://` as `" + prefix + "URL` does the same.");
        timeout = rows.add(
                prefix + "TIMEOUT",
                "10s",
                Kind.cappedOrZero(Duration.ofMillis(1), Duration.ofHours(1)),
                "How long a connection may take to be made.");
    }

    /** Returns whether connections are encrypted. */
    boolean isEncrypted(Environment environment) {
        return environment.read(tls) || environment.read(url).isTls();
    }

    /** Returns what lets us in to Redis; what the variable says wins, part by part, over what the address says. */
    Credentials credentials(Environment environment) {
        return credentials(environment, auth, environment.read(type) != Layout.SENTINEL);
    }

    /**
     * Returns where that stands anew; null if it stays. To sentinels Redisson would say it, too.
     *
     * @param atFirst what lets us in at first
     */
    @Nullable
    AuthFile authFile(Environment environment, Credentials atFirst) {
        Path file = auth.file(environment);
        return file == null || environment.read(type) == Layout.SENTINEL
                ? null
                : new AuthFile(
                        auth.fileVariable(),
                        file,
                        atFirst,
                        environment.read(url).credentials());
    }

    /** Returns what lets us in to the sentinels: the addresses are theirs, and so is what these say. */
    Credentials sentinelCredentials(Environment environment) {
        return credentials(environment, sentinelAuth, environment.read(type) == Layout.SENTINEL);
    }

    private Credentials credentials(Environment environment, Secret secret, boolean isOfUrl) {
        return Credentials.of(secret.read(environment))
                .orOf(isOfUrl ? environment.read(url).credentials() : Credentials.NONE);
    }

    /** Keeps the mistakes of settings that are right each by itself. */
    void check(Environment environment) {
        RedisUrl where = environment.read(url);
        if (environment.isWrong(url)) {
            return; // what else there is to say would be of the default
        }
        boolean isSocket = where.addresses().getFirst() instanceof Address.Socket;
        if (isSocket && environment.read(tls)) {
            environment.contradict(tls, "give `false`, for a Unix socket is not encrypted");
        }
        Layout layout = environment.read(type);
        if (layout != Layout.SENTINEL) {
            sentinelAuth.remark(environment, "not used, for " + prefix + "TYPE is not SENTINEL");
        }
        if (layout != Layout.SENTINEL && !where.master().isEmpty()) {
            environment.contradict(url, "give `host:port` throughout, or `SENTINEL` as `" + prefix + "TYPE`");
            return;
        }
        switch (layout) {
            case SINGLE -> {
                checkSocketType(environment, isSocket);
                if (where.addresses().size() > 1) {
                    environment.contradict(url, "give one address, or `CLUSTER` as `" + prefix + "TYPE`");
                }
            }
            case SENTINEL -> {
                if (where.master().isEmpty()) {
                    environment.contradict(
                            url, "give the master's name and its sentinels as `master,host:port,host:port`");
                } else if (where.database() != 0) {
                    environment.contradict(url, "give no database, for the addresses are those of sentinels");
                }
            }
            case CLUSTER -> {
                if (isSocket) {
                    environment.contradict(url, "give nodes of the cluster as `host:port,host:port`");
                } else if (where.database() != 0) {
                    environment.contradict(url, "give no database, for a cluster has only one");
                }
            }
        }
    }

    private void checkSocketType(Environment environment, boolean isSocket) {
        String said = environment.read(socketType);
        if (!said.isEmpty() && isSocket != said.equals("unix")) {
            environment.contradict(
                    socketType,
                    isSocket
                            ? "give `" + prefix + "URL` as `host:port`, for it is the path of a socket"
                            : "give `" + prefix + "URL` as the path of a socket, or `tcp` here");
        }
    }
}
