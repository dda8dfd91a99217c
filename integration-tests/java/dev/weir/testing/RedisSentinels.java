package dev.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A real master with a replica, watched by three real sentinels, two of which must agree that it is gone. */
public final class RedisSentinels implements AutoCloseable {
    /** The name under which the sentinels watch the master. */
    public static final String MASTER = "mymaster";

    private static final int SENTINELS = 3;
    private static final String HOST = "127.0.0.1";
    private static final Duration WITHIN = Duration.ofSeconds(5);

    private final ScratchFolder folder = ScratchFolder.create("sentinels");
    private final List<RedisServer> nodes = new ArrayList<>();
    private final List<Child> sentinels = new ArrayList<>();
    private final int[] ports = FreePorts.find(SENTINELS);
    private final int[] tlsPorts = FreePorts.find(SENTINELS);
    private final String sentinelPassword;
    private final @Nullable RedisEncryption tls;

    private RedisSentinels(String sentinelPassword, @Nullable RedisEncryption tls) {
        this.sentinelPassword = sentinelPassword;
        this.tls = tls;
    }

    /** Starts all of them, without passwords. */
    public static RedisSentinels start() {
        return start("");
    }

    /**
     * Starts all of them and waits until a failover is possible.
     *
     * @param sentinelPassword what the sentinels ask for; empty for nothing
     * @param arguments as on the command line of redis-server, for master and replica
     */
    public static RedisSentinels start(String sentinelPassword, String... arguments) {
        return launched(new RedisSentinels(sentinelPassword, null), arguments);
    }

    /** Starts all of them so that they speak TLS, to each other too; assertions still ask them without. */
    public static RedisSentinels start(RedisEncryption tls, String sentinelPassword, String... arguments) {
        return launched(new RedisSentinels(sentinelPassword, tls), arguments);
    }

    private static RedisSentinels launched(RedisSentinels started, String... arguments) {
        try {
            started.launch(arguments);
            return started;
        } catch (AssertionError | RuntimeException e) {
            started.close();
            throw e;
        }
    }

    /** Returns {@code host:port} of each sentinel as clients reach it. */
    public Stream<String> addresses() {
        return Arrays.stream(tls == null ? ports : tlsPorts).mapToObj(port -> HOST + ":" + port);
    }

    /** Returns what began as the master. */
    public RedisServer first() {
        return nodes.getFirst();
    }

    /** Returns what began as the replica. */
    public RedisServer second() {
        return nodes.getLast();
    }

    /** Ends one of the sentinels. */
    public void stopSentinel(int number) {
        sentinels.get(number).kill();
    }

    /** Asks the sentinels to make the replica the master, although the master is well. */
    public void failOver() {
        ask(ports[0], "SENTINEL", "FAILOVER", MASTER);
    }

    /** Waits until all sentinels that live say that this is the master. */
    public void awaitMaster(RedisServer node) {
        Eventually.await(
                "the sentinels name another master",
                () -> Stream.iterate(0, i -> i < SENTINELS, i -> i + 1)
                        .filter(i -> sentinels.get(i).isAlive())
                        .allMatch(i -> masterOf(ports[i]).contains(Integer.toString(node.namedPort()))));
    }

    private void launch(String... arguments) {
        var version = tls == null ? RedisVersions.here().getFirst() : RedisEncryption.version();
        nodes.add(RedisServer.start(version, withTls(FreePorts.find(), arguments)));
        var replica = new ArrayList<>(List.of("--replicaof", HOST, Integer.toString(first().namedPort())));
        replica.addAll(Arrays.asList(arguments));
        nodes.add(RedisServer.start(version, withTls(FreePorts.find(), replica.toArray(String[]::new))));
        Eventually.await(
                "the replica has the keys of its master",
                () -> String.valueOf(second().command("INFO", "replication")).contains("master_link_status:up"));
        for (int i = 0; i < SENTINELS; i++) {
            sentinels.add(launchSentinel(version, i, arguments));
        }
        Eventually.await(
                "every sentinel knows the replica and the others",
                () -> Arrays.stream(ports).allMatch(port -> isWell(masterState(port))));
    }

    private String[] withTls(int port, String... arguments) {
        return tls == null
                ? arguments
                : Stream.concat(
                                Arrays.stream(arguments),
                                Arrays.stream(tls.arguments(port, "--tls-replication", "yes")))
                        .toArray(String[]::new);
    }

    /** The file of a sentinel has a line for what is two words on a command line. */
    private String tlsLines(int port) {
        String[] words = withTls(port);
        return IntStream.range(0, words.length / 2)
                .mapToObj(i -> words[2 * i].substring(2) + " " + words[2 * i + 1])
                .collect(Collectors.joining("\n"));
    }

    private Child launchSentinel(RedisVersion version, int number, String... arguments) {
        int port = ports[number];
        if (!(version instanceof RedisVersion.Executable executable)) {
            throw new AssertionError("sentinels are started from a program of this machine");
        }
        int password = List.of(arguments).indexOf("--requirepass") + 1;
        String text = Stream.of(
                        "port " + port,
                        "bind " + HOST,
                        "dir " + folder.path(),
                        tlsLines(tlsPorts[number]),
                        "sentinel monitor %s %s %d 2".formatted(MASTER, HOST, first().namedPort()),
                        "sentinel down-after-milliseconds " + MASTER + " 1000",
                        "sentinel failover-timeout " + MASTER + " 5000",
                        sentinelPassword.isEmpty() ? "" : "requirepass " + sentinelPassword,
                        sentinelPassword.isEmpty() ? "" : "sentinel sentinel-pass " + sentinelPassword,
                        password == 0 ? "" : "sentinel auth-pass " + MASTER + " " + arguments[password])
                .collect(Collectors.joining("\n"));
        try {
            var file = Files.writeString(folder.resolve("sentinel-" + port + ".conf"), text + "\n");
            var child = Child.start(
                    "sentinel-" + port,
                    folder.path(),
                    null,
                    List.of(executable.path().toString(), file.toString(), "--sentinel"));
            child.awaitReady("the sentinel answers", Eventually.DEADLINE, () -> answers(port));
            return child;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isWell(String state) {
        return state.contains("num-slaves, 1,") && state.contains("num-other-sentinels, " + (SENTINELS - 1) + ",");
    }

    private boolean answers(int port) {
        try {
            return "PONG".equals(talk(port, "PING"));
        } catch (IOException | RedisErrorReply _) {
            return false; // not up yet: asked again
        }
    }

    private String masterState(int port) {
        return ask(port, "SENTINEL", "MASTER", MASTER);
    }

    private String masterOf(int port) {
        return ask(port, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER);
    }

    private String ask(int port, String... words) {
        try {
            return talk(port, words);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String talk(int port, String... words) throws IOException {
        try (var connection = new RespConnection(HOST, port, WITHIN)) {
            if (!sentinelPassword.isEmpty()) {
                connection.ask("AUTH", sentinelPassword);
            }
            return String.valueOf(connection.ask(words));
        }
    }

    @Override
    public void close() {
        sentinels.forEach(Child::close);
        nodes.forEach(RedisServer::close);
        folder.close();
    }
}
