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
        memory.told("a:1", 5, 9);
        memory.told("a:1", 6, 9);
        assertThat(lines())
                .containsExactlyInAnyOrder("weir.redis.memory.used{node=a:1}: 6", "weir.redis.memory.max{node=a:1}: 9");
    }

    @Test
    void a_node_that_left_is_shown_no_more() {
        memory.told("a:1", 5, 9);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(40));
        memory.told("b:1", 5, 9);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(40));
        assertThat(lines()).hasSize(2).allMatch(line -> line.contains("node=b:1"));
    }

    private List<String> lines() {
        var lines = new ArrayList<String>();
        memory.forEach((name, bytes) -> lines.add(name + ": " + bytes));
        return lines;
    }
}
