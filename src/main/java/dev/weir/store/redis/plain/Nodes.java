package dev.weir.store.redis.plain;

import io.netty.util.NetUtil;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.command.CommandAsyncExecutor;
import org.redisson.connection.ConnectionManager;
import org.redisson.connection.MasterSlaveEntry;

/** Which node keeps a slot, as Redisson thinks at the moment. Its public ways to that ask the nodes. */
public final class Nodes {
    private Nodes() {}

    static @Nullable MasterSlaveEntry nodeOf(ConnectionManager connections, String slotKey) {
        return connections.getEntry(connections.calcSlot(slotKey));
    }

    /** Returns the address of the node that keeps a slot; null if none is known. */
    public static @Nullable String addressOf(RedissonClient redisson, String slotKey) {
        MasterSlaveEntry node = nodeOf(connectionsOf(redisson), slotKey);
        return node == null
                ? null
                : NetUtil.toSocketAddressString(node.getClient().getAddr());
    }

    static ConnectionManager connectionsOf(RedissonClient redisson) {
        return commandsOf(redisson).getConnectionManager();
    }

    /** Returns what sends commands whose keys are bytes: in Redisson's public API they are texts. */
    public static CommandAsyncExecutor commandsOf(RedissonClient redisson) {
        return ((Redisson) redisson).getCommandExecutor();
    }

    /**
     * Tells keys of slots apart by the nodes that keep them.
     *
     * @return for each key the position of the first one that the same node keeps; its own if no node is known
     */
    public static int[] firstOfSame(RedissonClient redisson, String[] slotKeys) {
        ConnectionManager connections = connectionsOf(redisson);
        Map<MasterSlaveEntry, Integer> firstOn = new HashMap<>();
        var first = new int[slotKeys.length];
        for (int i = 0; i < first.length; i++) {
            MasterSlaveEntry node = nodeOf(connections, slotKeys[i]);
            Integer earlier = node == null ? null : firstOn.putIfAbsent(node, i);
            first[i] = earlier == null ? i : earlier;
        }
        return first;
    }
}
