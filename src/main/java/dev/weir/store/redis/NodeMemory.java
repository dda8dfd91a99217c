package dev.weir.store.redis;

import dev.weir.store.redis.RedisListener.Memory;
import dev.weir.store.redis.RedisOptions.Topology;
import dev.weir.store.redis.failure.FailureWords;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.redisson.api.RFuture;
import org.redisson.api.RedissonClient;
import org.redisson.api.redisnode.RedisNode;
import org.redisson.api.redisnode.RedisNode.InfoSection;
import org.redisson.api.redisnode.RedisNodeAsync;
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

    /** Redisson gives calls up before, unless it ends under them. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Topology topology;
    private final RedisListener listener;
    private boolean isRefused;

    NodeMemory(Topology topology, RedisListener listener) {
        this.topology = topology;
        this.listener = listener;
    }

    /**
     * Asks all of them, and then hears each: those that do not answer hide no other, and take no longer together than one. Blocks up
     * to the timeout of a call; somewhat longer where Redisson ends under it and lets an answer go.
     */
    void ask(RedissonClient client) throws InterruptedException {
        if (isRefused) {
            return;
        }
        try {
            List<Question> questions = questions(client);
            long end = System.nanoTime() + PATIENCE_NANOS;
            for (Question question : questions) {
                hear(question, end);
            }
        } catch (RuntimeException e) { // Redisson lets out much while nodes come and go
            notTold(e);
        }
    }

    private List<Question> questions(RedissonClient client) {
        return switch (topology) {
            case Topology.Single _ ->
                List.of(question(client.getRedisNodes(RedisNodes.SINGLE).getInstance()));
            case Topology.Sentinel _ ->
                List.of(question(
                        client.getRedisNodes(RedisNodes.SENTINEL_MASTER_SLAVE).getMaster()));
            case Topology.Cluster _ ->
                client.getRedisNodes(RedisNodes.CLUSTER).getMasters().stream()
                        .map(this::question)
                        .toList();
        };
    }

    private <N extends RedisNode & RedisNodeAsync> Question question(N node) {
        return new Question(
                nameOf(node),
                node.infoAsync(InfoSection.SERVER),
                node.infoAsync(InfoSection.MEMORY),
                node.infoAsync(InfoSection.STATS));
    }

    private void hear(Question question, long end) throws InterruptedException {
        try {
            Map<String, String> memory = question.memory.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            String used = memory.get("used_memory");
            if (used != null) {
                Map<String, String> server = question.server.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                String evicted = question.statistics
                        .get(end - System.nanoTime(), TimeUnit.NANOSECONDS)
                        .getOrDefault("evicted_keys", "0");
                listener.memory(new Memory(
                        question.node,
                        server.getOrDefault("run_id", ""),
                        Long.parseLong(used),
                        Long.parseLong(memory.getOrDefault("maxmemory", "0")),
                        memory.getOrDefault("maxmemory_policy", Memory.NO_EVICTION),
                        Long.parseLong(evicted)));
            }
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            notTold(e);
        }
    }

    private void notTold(Exception failure) {
        String words = FailureWords.of(failure);
        boolean isRefusal = words.startsWith("NOPERM") || words.startsWith("ERR unknown command");
        if (isRefusal && !isRefused) {
            isRefused = true;
            listener.memoryUnknown(words);
        } else if (!isRefusal) {
            LOG.debug("the memory of Redis is not known now: {}", words); // the pulse tells what is lost
        }
    }

    private String nameOf(RedisNode node) {
        return topology instanceof Topology.Single single
                ? single.address().replaceFirst("^[a-z+]+://", "")
                : node.getAddr().getHostString() + ":" + node.getAddr().getPort();
    }

    /** What a node was asked. */
    private record Question(
            String node,
            RFuture<Map<String, String>> server,
            RFuture<Map<String, String>> memory,
            RFuture<Map<String, String>> statistics) {}
}
