package dev.weir.store.redis;

import dev.weir.store.redis.RedisListener.Memory;
import dev.weir.store.redis.RedisOptions.Topology;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.redisson.api.RedissonClient;
import org.redisson.api.redisnode.RedisNode;
import org.redisson.api.redisnode.RedisNode.InfoSection;
import org.redisson.api.redisnode.RedisNodes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks those that keep counters, every some seconds and far from any request, what they use of their memory and whether they evict
 * keys when it is full. A Redis that does not say it to this user is not asked again.
 *
 * <p>Belongs to the thread of the pulse.
 */
final class NodeMemory {
    private static final Logger LOG = LoggerFactory.getLogger(NodeMemory.class);

    private final Topology topology;
    private final RedisListener listener;
    private boolean isRefused;

    NodeMemory(Topology topology, RedisListener listener) {
        this.topology = topology;
        this.listener = listener;
    }

    /** Asks all of them. Blocks, up to the timeout of two calls for each. */
    void ask(RedissonClient client) {
        if (isRefused) {
            return;
        }
        try {
            nodes(client).forEach(this::ask);
        } catch (RuntimeException e) { // Redisson lets out much while nodes come and go
            String words = FailureWords.of(e);
            if (words.startsWith("NOPERM") || words.startsWith("ERR unknown command")) {
                isRefused = true;
                listener.memoryUnknown(words);
            } else {
                LOG.debug("the memory of Redis is not known now", e); // the pulse tells what is lost
            }
        }
    }

    private Collection<? extends RedisNode> nodes(RedissonClient client) {
        return switch (topology) {
            case Topology.Single _ ->
                List.of(client.getRedisNodes(RedisNodes.SINGLE).getInstance());
            case Topology.Sentinel _ ->
                List.of(client.getRedisNodes(RedisNodes.SENTINEL_MASTER_SLAVE).getMaster());
            case Topology.Cluster _ -> client.getRedisNodes(RedisNodes.CLUSTER).getMasters();
        };
    }

    private void ask(RedisNode node) {
        Map<String, String> memory = node.info(InfoSection.MEMORY);
        String used = memory.get("used_memory");
        if (used != null) {
            String evicted = node.info(InfoSection.STATS).getOrDefault("evicted_keys", "0");
            listener.memory(new Memory(
                    nameOf(node),
                    Long.parseLong(used),
                    Long.parseLong(memory.getOrDefault("maxmemory", "0")),
                    memory.getOrDefault("maxmemory_policy", Memory.NO_EVICTION),
                    Long.parseLong(evicted)));
        }
    }

    private String nameOf(RedisNode node) {
        return topology instanceof Topology.Single single
                ? single.address().replaceFirst("^[a-z+]+://", "")
                : node.getAddr().getHostString() + ":" + node.getAddr().getPort();
    }
}
