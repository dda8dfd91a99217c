package dev.weir.testing;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real Redis on a free port, without persistence, that ends with the test.
 *
 * <p>Assertions ask it through {@link #command}; whoever stands between Weir and Redis (a {@link TcpProxy}) is not asked.
 */
public final class RedisServer implements AutoCloseable {
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(10);
    private static final Duration PROBES_FOR = Duration.ofSeconds(2);
    private static final int TRIES = 5;
    private static final int SLOTS = 16_384;

    private final RedisVersion version;
    private final int port;
    private final ScratchFolder folder;
    private final List<String> arguments;
    private @Nullable RedisRun run;

    private RedisServer(RedisVersion version, int port, List<String> arguments) {
        this.version = version;
        this.port = port;
        this.folder = ScratchFolder.create("redis");
        this.arguments = arguments;
    }

    /** Starts the first version at hand. */
    public static RedisServer start() {
        return startWith();
    }

    /** Starts the first version at hand with arguments for its command line, for instance {@code "--maxmemory", "10mb"}. */
    public static RedisServer startWith(String... arguments) {
        return start(RedisVersions.first(), arguments);
    }

    /**
     * Starts {@code version} and waits until it answers.
     *
     * @param arguments as on the command line of redis-server, for instance {@code "--maxmemory", "10mb"}
     */
    public static RedisServer start(RedisVersion version, String... arguments) {
        for (int i = 1; ; i++) {
            var server = new RedisServer(version, FreePorts.find(), defaults(version, arguments));
            try {
                server.launch();
                return server;
            } catch (AssertionError e) {
                boolean isPortLost = server.output().contains("ddress already in use");
                server.close();
                if (!isPortLost || i == TRIES) {
                    throw e; // only losing the race for the port is worth another try
                }
            }
        }
    }

    /** Starts a cluster of one node that owns all slots: it answers everything, but refuses keys of several slots. */
    public static RedisServer startCluster(RedisVersion version, String... arguments) {
        var server = start(
                version,
                Stream.concat(
                                Stream.of("--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1"),
                                Arrays.stream(arguments))
                        .toArray(String[]::new));
        server.addSlots(0, SLOTS - 1);
        server.running()
                .awaitReady(
                        "the cluster owns its slots",
                        () -> String.valueOf(server.command("CLUSTER", "INFO")).contains("cluster_state:ok"));
        return server;
    }

    /** Gives slots that belong to nobody to this node of a cluster, both ends included. */
    void addSlots(int first, int last) {
        if (version.isAtLeast(7)) {
            command("CLUSTER", "ADDSLOTSRANGE", Integer.toString(first), Integer.toString(last));
        } else {
            command(Stream.concat(
                            Stream.of("CLUSTER", "ADDSLOTS"),
                            IntStream.rangeClosed(first, last).mapToObj(Integer::toString))
                    .toArray(String[]::new));
        }
    }

    /** Returns the host at which it is reached. */
    public String host() {
        return running().host();
    }

    /** Returns the port; it stays the same over a {@link #restart}. */
    public int port() {
        return port;
    }

    /** Returns the port that it names to others and at which they find it: that of TLS, if there is one. */
    int namedPort() {
        int tls = arguments.indexOf("--tls-port") + 1;
        return tls > 0 ? Integer.parseInt(arguments.get(tls)) : port;
    }

    /** Returns {@code host:port}, as REDIS_URL wants it. */
    public String address() {
        return host() + ":" + port;
    }

    /** Returns the version that runs here, for instance {@code 6.2.11}, as Redis itself tells it, or Valkey. */
    public String version() {
        var told = String.valueOf(command("INFO", "server"));
        return field(told, "valkey_version")
                .or(() -> field(told, "redis_version"))
                .orElseThrow();
    }

    /**
     * Asks Redis one command on a connection of its own.
     *
     * @param words the command; each character stands for one byte (ISO 8859-1), so that binary keys survive
     * @return a {@code String}, a {@code Long}, a {@code List} of such, or null
     * @throws RedisErrorReply if Redis answered with an error
     */
    public @Nullable Object command(String... words) {
        try {
            return ask(ANSWERS_WITHIN, words);
        } catch (IOException e) {
            throw new AssertionError("%s on %s did not answer %s".formatted(version, address(), words[0]), e);
        }
    }

    /** Opens a connection, for many commands in a row. */
    RespConnection connect() throws IOException {
        return connect(ANSWERS_WITHIN);
    }

    /** Holds Redis still: its connections stay open, new ones are accepted, and nothing is answered. */
    public void pause() {
        running().pause();
    }

    /** Lets a paused Redis go on with what has piled up. */
    public void resume() {
        running().resume();
    }

    /** Ends Redis at once; its port refuses connections until a {@link #restart}. */
    public void stop() {
        if (run != null) {
            run.close();
            run = null;
        }
    }

    /** Ends Redis if it runs and starts it again, empty, on the same port. */
    public void restart() {
        stop();
        launch();
    }

    /** Returns what this run of Redis printed, or nothing if it is stopped. */
    public String output() {
        return run == null ? "" : run.output();
    }

    @Override
    public void close() {
        stop();
        folder.close();
    }

    private void launch() {
        run = RedisRun.start(version, port, folder.path(), arguments);
        running().awaitReady("%s answers PING".formatted(version), this::answersPing);
    }

    private static Optional<String> field(String told, String name) {
        return told.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst();
    }

    private RedisRun running() {
        return Objects.requireNonNull(run, "this Redis is stopped");
    }

    private boolean answersPing() {
        try {
            return "PONG".equals(ask(PROBES_FOR, "PING"));
        } catch (IOException | RedisErrorReply _) {
            return false; // not up yet, or still loading: asked again
        }
    }

    private @Nullable Object ask(Duration timeout, String... words) throws IOException {
        try (var connection = connect(timeout)) {
            return connection.ask(words);
        }
    }

    private RespConnection connect(Duration timeout) throws IOException {
        var connection = new RespConnection(host(), port, timeout);
        int password = arguments.indexOf("--requirepass") + 1;
        if (password > 0) {
            connection.ask("AUTH", arguments.get(password));
        }
        return connection;
    }

    private static List<String> defaults(RedisVersion version, String... arguments) {
        var all = new ArrayList<>(List.of("--save", "", "--appendonly", "no"));
        if (version.isAtLeast(7)) {
            all.addAll(List.of("--enable-debug-command", "yes")); // older ones allow DEBUG and do not know the word
        }
        all.addAll(List.of(arguments));
        return List.copyOf(all);
    }
}
