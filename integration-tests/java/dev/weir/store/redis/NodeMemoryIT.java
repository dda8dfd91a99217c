package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.loop.EventLoops;
import dev.weir.testing.Eventually;
import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When Redis is asked for its memory, and who of a cluster tells it. */
final class NodeMemoryIT {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Of those who do not answer; who is asked at the same time answers within it. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    @Test
    void a_redis_that_comes_late_is_asked_with_its_first_answer() {
        var ear = new Ear();
        var loops = new EventLoops();
        try (var redis = RedisServer.start()) {
            var topology = new RedisOptions.Topology.Single("redis://" + redis.address());
            redis.stop();
            try (var store = RedisStore.start(RedisBench.options(topology, 2, PATIENCE), loops, ear)) {
                Eventually.await("Redis is missed", () -> ear.heard.contains("lost"));
                redis.restart();
                Eventually.await("Redis tells", () -> ear.heard.contains("memory"));
                assertThat(store.isReachable()).isTrue();
                var since = ear.heard.subList(ear.heard.indexOf("reached"), ear.heard.size());
                assertThat(since).startsWith("reached", "memory"); // no beat between the two
            }
        } finally {
            loops.close();
        }
    }

    @Test
    void nodes_that_do_not_answer_hide_no_other() {
        var ear = new Ear();
        try (var cluster = RedisCluster.start();
                var loops = new EventLoops();
                var link = connected(cluster, loops)) {
            var memory = new NodeMemory(RedisBench.topology(cluster), ear);
            for (int one = 0; one < 3; one++) { // whichever is asked first
                String name = name(cluster, one);
                pauseAllBut(one, cluster);
                assertThat(told(link, memory, ear)).containsExactly(name);
                resumeAllBut(one, cluster);
                Eventually.await("all tell again", () -> told(link, memory, ear).size() == 3);
            }
        }
    }

    @Test
    void nodes_that_do_not_answer_are_waited_for_at_once() {
        var ear = new Ear();
        try (var cluster = RedisCluster.start();
                var loops = new EventLoops();
                var link = connected(cluster, loops)) {
            var memory = new NodeMemory(RedisBench.topology(cluster), ear);
            pauseAllBut(0, cluster);
            long begun = System.nanoTime();
            assertThat(told(link, memory, ear)).containsExactly(name(cluster, 0));
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(TIMEOUT.multipliedBy(2));
            resumeAllBut(0, cluster);
        }
    }

    private static RedisLink connected(RedisCluster cluster, EventLoops loops) {
        var options = RedisBench.options(RedisBench.topology(cluster), 2, TIMEOUT);
        var link = new RedisLink(options, Script.production(), loops, 0);
        link.connect();
        return link;
    }

    private static String name(RedisCluster cluster, int node) {
        return cluster.addresses().toList().get(node);
    }

    private static void pauseAllBut(int one, RedisCluster cluster) {
        others(one).forEach(node -> cluster.node(node).pause());
    }

    private static void resumeAllBut(int one, RedisCluster cluster) {
        others(one).forEach(node -> cluster.node(node).resume());
    }

    private static IntStream others(int one) {
        return IntStream.range(0, 3).filter(node -> node != one);
    }

    /** Asks all nodes; returns those that told. */
    private static List<String> told(RedisLink link, NodeMemory memory, Ear ear) {
        ear.nodes.clear();
        try {
            link.askMemory(memory);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return List.copyOf(ear.nodes);
    }

    /** Keeps what is told, in order. */
    private static final class Ear extends DeafListener {
        private final List<String> heard = new CopyOnWriteArrayList<>();
        private final List<String> nodes = new CopyOnWriteArrayList<>();

        @Override
        public void answered(long nanos, long tripNanos) {
            heard.add("answered");
        }

        @Override
        public void reached(String redis) {
            heard.add("reached");
        }

        @Override
        public void lost(String reason) {
            heard.add("lost");
        }

        @Override
        public void memory(Memory memory) {
            heard.add("memory");
            nodes.add(memory.node());
        }
    }
}
