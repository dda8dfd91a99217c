package dev.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real Redis Cluster of three masters on free ports, without persistence, that ends with the test.
 *
 * <p>Each node begins with a third of the slots. A cluster that has lost a node answers on for the slots of the others.
 */
public final class RedisCluster implements AutoCloseable {
    private static final int NODES = 3;
    private static final String HOST = "127.0.0.1";
    private static final int SLOTS = 16_384;
    private static final String[] ARGUMENTS = {
        "--cluster-enabled", "yes",
        "--cluster-announce-ip", HOST,
        "--cluster-node-timeout", "3000",
        "--cluster-require-full-coverage", "no"
    };

    private final RedisVersion version;
    private final @Nullable RedisEncryption tls;
    private final String[] arguments;
    private final List<RedisServer> replicas = new ArrayList<>();
    private final List<RedisServer> nodes = new ArrayList<>();
    private final List<String> ids = new ArrayList<>();
    private final int[] owners = new int[SLOTS];

    private RedisCluster(RedisVersion version, @Nullable RedisEncryption tls, String... arguments) {
        this.version = version;
        this.tls = tls;
        this.arguments = Stream.concat(Arrays.stream(ARGUMENTS), Arrays.stream(arguments))
                .toArray(String[]::new);
    }

    /** Starts a cluster of the first version at hand. */
    public static RedisCluster start() {
        return start(RedisVersions.first());
    }

    /**
     * Starts a cluster and waits until each of its nodes finds it well.
     *
     * @param version one of {@link RedisVersions#here}: containers do not reach each other
     * @param arguments as on the command line of redis-server, for each node
     */
    public static RedisCluster start(RedisVersion version, String... arguments) {
        return launched(new RedisCluster(version, null, arguments));
    }

    /** Starts a cluster whose nodes speak TLS, to each other too; assertions still ask them without. */
    public static RedisCluster start(RedisEncryption tls) {
        return launched(new RedisCluster(RedisEncryption.version(), tls));
    }

    private static RedisCluster launched(RedisCluster cluster) {
        try {
            cluster.launch();
            return cluster;
        } catch (AssertionError | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** Returns node {@code number}, 0 to 2. */
    public RedisServer node(int number) {
        return nodes.get(number);
    }

    /** Returns {@code host:port} of each node as clients reach it, also of one that is stopped. */
    public Stream<String> addresses() {
        return nodes.stream().map(node -> HOST + ":" + node.namedPort());
    }

    /** Returns the slot that keys like this one live in. */
    public int slotOf(String key) {
        if (nodes.getFirst().command("CLUSTER", "KEYSLOT", key) instanceof Long slot) {
            return Math.toIntExact(slot);
        }
        throw new AssertionError("Redis knows no slot of " + key);
    }

    /** Returns the number of the node that the slot belongs to. */
    public int ownerOf(int slot) {
        return owners[slot];
    }

    /** Asks the node that {@code key} belongs to one command, as {@link RedisServer#command} does. */
    public @Nullable Object commandTo(String key, String... words) {
        return nodes.get(ownerOf(slotOf(key))).command(words);
    }

    /** Adds a replica of a node, and waits until it could take over. */
    public RedisServer addReplicaOf(int node) {
        var master = nodes.get(node);
        var replica = startNode();
        replicas.add(replica);
        replica.command("CLUSTER", "MEET", HOST, Integer.toString(master.namedPort()));
        Eventually.await("the replica knows the cluster", () -> isWell(replica, NODES + replicas.size()));
        replica.command("CLUSTER", "REPLICATE", ids.get(node));
        Eventually.await(
                "the replica has the keys of its master",
                () -> String.valueOf(replica.command("INFO", "replication")).contains("master_link_status:up"));
        Eventually.await(
                "every node knows the replica",
                () -> nodes.stream()
                        .allMatch(other -> String.valueOf(other.command("CLUSTER", "NODES"))
                                .contains("slave " + ids.get(node))));
        return replica;
    }

    /** Removes every key. */
    public void clear() {
        nodes.forEach(node -> node.command("FLUSHALL"));
    }

    /** Moves a slot with its keys to another node. Both know when this returns; the third one hears of it later. */
    public void moveSlot(int slot, int to) {
        var move = beginMove(slot, to);
        move.moveKeys(Integer.MAX_VALUE);
        move.finish();
    }

    /**
     * Gives the slots of a node that hold no key to another node; thousands, so over one connection to each. Redis 7 makes a
     * node that has lost its last slot a replica of the one that took it.
     */
    public void giveEmptySlots(int from, int to) {
        try (var giver = nodes.get(from).connect();
                var taker = nodes.get(to).connect()) {
            for (int slot = 0; slot < SLOTS; slot++) {
                String text = Integer.toString(slot);
                if (owners[slot] == from && Long.valueOf(0).equals(giver.ask("CLUSTER", "COUNTKEYSINSLOT", text))) {
                    taker.ask("CLUSTER", "SETSLOT", text, "NODE", ids.get(to));
                    giver.ask("CLUSTER", "SETSLOT", text, "NODE", ids.get(to));
                    owners[slot] = to;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Opens both ends of a slot's move: its keys still are where they were, and new ones come to life at the new node. */
    public SlotMove beginMove(int slot, int to) {
        int from = owners[slot];
        String text = Integer.toString(slot);
        nodes.get(to).command("CLUSTER", "SETSLOT", text, "IMPORTING", ids.get(from));
        nodes.get(from).command("CLUSTER", "SETSLOT", text, "MIGRATING", ids.get(to));
        return new SlotMove(slot, nodes.get(from), nodes.get(to), () -> settle(slot, to));
    }

    /** The new node first: nobody may be sent to a node that does not know yet that the slot is its own. */
    private void settle(int slot, int to) {
        for (int node : new int[] {to, owners[slot]}) {
            nodes.get(node).command("CLUSTER", "SETSLOT", Integer.toString(slot), "NODE", ids.get(to));
        }
        owners[slot] = to;
    }

    @Override
    public void close() {
        replicas.forEach(RedisServer::close);
        nodes.forEach(RedisServer::close);
    }

    private void launch() {
        for (int i = 0; i < NODES; i++) {
            var node = startNode();
            nodes.add(node);
            ids.add(String.valueOf(node.command("CLUSTER", "MYID")));
            node.command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
            node.addSlots(SLOTS * i / NODES, SLOTS * (i + 1) / NODES - 1);
            Arrays.fill(owners, SLOTS * i / NODES, SLOTS * (i + 1) / NODES, i);
            nodes.getFirst().command("CLUSTER", "MEET", HOST, Integer.toString(node.namedPort()));
        }
        Eventually.await(
                "every node finds the cluster well", () -> nodes.stream().allMatch(node -> isWell(node, NODES)));
    }

    /** Its bus is 10,000 above the port that it names. */
    private RedisServer startNode() {
        return tls == null
                ? RedisServer.start(version, arguments)
                : RedisServer.start(
                        version,
                        Stream.concat(
                                        Arrays.stream(arguments),
                                        Arrays.stream(tls.arguments(FreePorts.find(), "--tls-cluster", "yes")))
                                .toArray(String[]::new));
    }

    private static boolean isWell(RedisServer node, int known) {
        String state = String.valueOf(node.command("CLUSTER", "INFO"));
        return state.contains("cluster_state:ok")
                && state.contains("cluster_known_nodes:" + known)
                && state.contains("cluster_slots_ok:" + SLOTS);
    }
}
