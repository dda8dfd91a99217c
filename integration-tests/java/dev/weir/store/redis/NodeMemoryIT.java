package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.loop.EventLoops;
import dev.weir.testing.Eventually;
import dev.weir.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** When Redis is asked for its memory. */
final class NodeMemoryIT {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

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

    /** Keeps what is told, in order. */
    private static final class Ear implements RedisListener {
        private final List<String> heard = new CopyOnWriteArrayList<>();

        @Override
        public void sent(int checks, int merged) {}

        @Override
        public void answered(long nanos) {
            heard.add("answered");
        }

        @Override
        public void unanswered() {}

        @Override
        public void chargeKept() {}

        @Override
        public void reached(String redis) {
            heard.add("reached");
        }

        @Override
        public void lost(String reason) {
            heard.add("lost");
        }

        @Override
        public void shortWayClosed(String reason) {}

        @Override
        public void groupingByTag() {}

        @Override
        public void memory(Memory memory) {
            heard.add("memory");
        }
    }
}
