package dev.weir.settings.redis;

import dev.weir.settings.redis.RedisSettings.Address;
import dev.weir.settings.redis.RedisSettings.Credentials;
import dev.weir.settings.redis.RedisSettings.Layout;
import dev.weir.settings.table.Environment;
import dev.weir.settings.table.Kind;
import dev.weir.settings.table.Rows;
import dev.weir.settings.table.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** The variables that tell where one Redis is and how it lets us in; a second one has the same with another prefix. */
final class RedisServerRows {
    /** Editors end a file with one; all else belongs to the secret. */
    private static final Pattern LAST_LINE_BREAK = Pattern.compile("\\r?\\n\\z");

    final Setting<Layout> type;
    final Setting<RedisUrl> url;
    final Setting<Boolean> tls;
    final Setting<Duration> timeout;
    private final Setting<String> socketType;
    private final Setting<String> auth;
    private final Setting<Path> authFile;
    private final Setting<String> sentinelAuth;
    private final Setting<Path> sentinelAuthFile;
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
        auth = rows.add(
                prefix + "AUTH",
                "",
                Kind.TEXT,
                "`password` or `user:password`; wins over those of `" + prefix
                        + "URL`, which are for sentinels where it" + " names some. A secret.");
        authFile = secretFile(rows, prefix + "AUTH");
        sentinelAuth = rows.add(
                prefix + "SENTINEL_AUTH",
                "",
                Kind.TEXT,
                "The same for the sentinels, if they ask for it; wins over those of `" + prefix + "URL`. A secret.");
        sentinelAuthFile = secretFile(rows, prefix + "SENTINEL_AUTH");
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

    private static Setting<Path> secretFile(Rows rows, String name) {
        return rows.add(
                name + "_FILE",
                "",
                Kind.PATH,
                "A file that holds what `" + name + "` would; read once, a line break at its end does not count.");
    }

    /** Returns what lets us in to Redis; what the variable says wins, part by part, over what the address says. */
    Credentials credentials(Environment environment) {
        return credentials(environment, auth, authFile, environment.read(type) != Layout.SENTINEL);
    }

    /** Returns what lets us in to the sentinels: the addresses are theirs, and so is what these say. */
    Credentials sentinelCredentials(Environment environment) {
        return credentials(environment, sentinelAuth, sentinelAuthFile, environment.read(type) == Layout.SENTINEL);
    }

    private Credentials credentials(
            Environment environment, Setting<String> row, Setting<Path> fileRow, boolean isOfUrl) {
        Credentials said = credentials(secret(environment, row, fileRow));
        Credentials ofUrl = isOfUrl ? environment.read(url).credentials() : Credentials.NONE;
        return new Credentials(
                said.user().isEmpty() ? ofUrl.user() : said.user(),
                said.password().isEmpty() ? ofUrl.password() : said.password());
    }

    private static Credentials credentials(String text) {
        int colon = text.indexOf(':');
        return new Credentials(colon < 0 ? "" : text.substring(0, colon), text.substring(colon + 1));
    }

    private static String secret(Environment environment, Setting<String> row, Setting<Path> fileRow) {
        String said = environment.read(row);
        Path file = environment.read(fileRow);
        if (file.toString().isEmpty()) {
            return said;
        }
        if (!said.isEmpty()) {
            environment.contradict(fileRow, "give either this or `" + row.name() + "`");
            return said;
        }
        try {
            String secret = LAST_LINE_BREAK.matcher(Files.readString(file)).replaceFirst("");
            if (secret.isEmpty()) {
                environment.contradict(fileRow, "the file is empty");
            }
            return secret;
        } catch (NoSuchFileException _) {
            environment.contradict(fileRow, "there is no such file");
        } catch (IOException e) { // its message can hold no part of what it could not read
            environment.contradict(
                    fileRow, "the file cannot be read (" + e.getClass().getSimpleName() + ")");
        }
        return "";
    }

    /** Keeps the mistakes of settings that are right each by itself. */
    void check(Environment environment) {
        RedisUrl where = environment.read(url);
        boolean isSocket = where.addresses().getFirst() instanceof Address.Socket;
        if (isSocket && environment.read(tls)) {
            environment.contradict(tls, "give `false`, for a Unix socket is not encrypted");
        }
        Layout layout = environment.read(type);
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
