package dev.weir.store.redis.plain;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.redisson.client.RedisTimeoutException;

/** Whether the short way can be gone, as far as one call a second tells. */
final class ProbeTest {
    private final ShortWay shortWay = new ShortWay();
    private final List<String> told = new ArrayList<>();
    private final Probe probe = new Probe(shortWay, told::add);
    private int calls;

    @Test
    void a_time_that_can_be_read_opens_the_way() throws InterruptedException {
        beat(answered("$1\r\n5\r\n"), true);
        assertThat(shortWay.isOpen()).isTrue();
        assertThat(told).isEmpty();
    }

    @Test
    void what_is_no_time_closes_it_and_is_told_once_until_it_opens_again() throws InterruptedException {
        beat(answered("$1\r\n5\r\n"), true);
        for (int i = 0; i < 5; i++) {
            beat(answered("-ERR unknown command\r\n"), true);
            assertThat(shortWay.isOpen()).isFalse();
        }
        assertThat(told).containsExactly("Redis failed: ERR unknown command");
        beat(answered("$1\r\n5\r\n"), true);
        assertThat(shortWay.isOpen()).isTrue();
        beat(answered("-ERR unknown command\r\n"), true);
        assertThat(told).hasSize(2);
    }

    @Test
    void silence_closes_it_if_redis_answers_all_else_and_is_then_seldom_met_again() throws InterruptedException {
        beat(answered("$1\r\n5\r\n"), true);
        beat(lost(), true);
        beat(lost(), true);
        assertThat(shortWay.isOpen()).isTrue();
        beat(lost(), true);
        assertThat(shortWay.isOpen()).isFalse();
        assertThat(told).containsExactly("Redis answers the script, and does not answer TIME");
        int before = calls;
        for (int i = 0; i < 120; i++) {
            beat(lost(), true);
        }
        assertThat(calls - before).isEqualTo(2);
        for (int i = 0; i < 60; i++) {
            beat(answered("$1\r\n5\r\n"), true);
        }
        assertThat(shortWay.isOpen()).isTrue();
        assertThat(told).hasSize(1);
    }

    @Test
    void silence_of_a_redis_that_is_lost_says_nothing() throws InterruptedException {
        beat(answered("$1\r\n5\r\n"), true);
        for (int i = 0; i < 10; i++) {
            beat(lost(), false);
        }
        assertThat(shortWay.isOpen()).isTrue();
        assertThat(told).isEmpty();
    }

    private void beat(CompletableFuture<PlainCall> answer, boolean isRedisThere) throws InterruptedException {
        probe.ask(_ -> {
            calls++;
            return answer;
        });
        probe.hear(isRedisThere);
    }

    private CompletableFuture<PlainCall> answered(String time) {
        var call = new PlainCall(List.of(), shortWay, ServerClock.production(), "{a}", key -> key.bytes());
        call.read(Unpooled.copiedBuffer(time, StandardCharsets.US_ASCII));
        return CompletableFuture.completedFuture(call);
    }

    private static CompletableFuture<PlainCall> lost() {
        return CompletableFuture.failedFuture(new RedisTimeoutException("no answer in time"));
    }
}
