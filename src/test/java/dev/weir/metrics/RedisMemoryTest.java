package dev.weir.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What is shown of the memory of each Redis, and for how long. */
final class RedisMemoryTest {
    private final AtomicLong nanos = new AtomicLong();
    private final RedisMemory memory = new RedisMemory(nanos::get);

    @Test
    void the_last_word_counts() {
        memory.told("a:1", "r1", 5, 9, false, 0);
        memory.told("a:1", "r1", 6, 9, true, 0);
        assertThat(lines())
                .containsExactlyInAnyOrder(
                        "weir.redis.memory.used{node=a:1}: 6",
                        "weir.redis.memory.max{node=a:1}: 9",
                        "weir.redis.memory.evicts{node=a:1}: 1",
                        "weir.redis.evicted.keys{node=a:1}: 0");
    }

    @Test
    void evicted_keys_are_counted_from_the_first_word_on_and_over_a_new_beginning() {
        //    Redis's own number -> newly, in all
        evicted(7_000, 0, 0); // of a time before us
        evicted(7_003, 3, 3);
        evicted(7_003, 0, 3);
        evicted(2, 0, 3); // restarted, or told to begin anew
        evicted(6, 4, 7);
    }

    /** Behind an address that stays another one may have become the master, which has evicted keys last week. */
    @Test
    void what_another_redis_at_the_same_address_evicted_before_is_not_new() {
        assertThat(memory.told("a:1", "r1", 5, 9, true, 10)).isZero();
        assertThat(memory.told("a:1", "r1", 5, 9, true, 12)).isEqualTo(2);
        assertThat(memory.told("a:1", "r2", 5, 9, true, 52)).isZero();
        assertThat(memory.told("a:1", "r2", 5, 9, true, 53)).isEqualTo(1);
        assertThat(lines()).contains("weir.redis.evicted.keys{node=a:1}: 3");
    }

    @Test
    void each_node_counts_its_own_evicted_keys() {
        assertThat(memory.told("a:1", "r1", 5, 9, true, 10)).isZero();
        assertThat(memory.told("b:1", "r1", 5, 9, true, 20)).isZero();
        assertThat(memory.told("a:1", "r1", 5, 9, true, 11)).isEqualTo(1);
        assertThat(lines()).contains("weir.redis.evicted.keys{node=a:1}: 1", "weir.redis.evicted.keys{node=b:1}: 0");
    }

    @Test
    void a_node_that_left_is_shown_no_more() {
        memory.told("a:1", "r1", 5, 9, false, 0);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(40));
        memory.told("b:1", "r1", 5, 9, false, 0);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(40));
        assertThat(lines()).hasSize(4).allMatch(line -> line.contains("node=b:1"));
    }

    private void evicted(long ofRedis, long newly, long inAll) {
        assertThat(memory.told("a:1", "r1", 5, 9, true, ofRedis)).isEqualTo(newly);
        assertThat(lines()).contains("weir.redis.evicted.keys{node=a:1}: " + inAll);
    }

    private List<String> lines() {
        var lines = new ArrayList<String>();
        memory.forEach((name, number) -> lines.add(name + ": " + number));
        return lines;
    }
}
