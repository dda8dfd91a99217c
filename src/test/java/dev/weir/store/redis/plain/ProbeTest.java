package dev.weir.store.redis.plain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.FixedWindowModel;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.StoreContract;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.redisson.client.RedisTimeoutException;

/** Whether the short way can be gone, as far as one call a second tells. */
final class ProbeTest {
    private final ShortWay shortWay = new ShortWay();
    private final ShortWay other = shortWay.another();
    private final List<String> told = new ArrayList<>();
    private final Probe probe = new Probe(
            new ShortWay[] {shortWay, shortWay.another(), other}, (why, number) -> told.add(number + ": " + why));
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
        assertThat(told).containsExactly("0: Redis failed: ERR unknown command");
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
        assertThat(told).containsExactly("0: Redis answers the script, and does not answer TIME");
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

    @Test
    void each_node_is_tried_and_what_one_refuses_is_no_matter_of_the_others() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            beatOfTwoNodes("$1\r\n5\r\n", "-NOPERM of some kind\r\n");
            assertThat(shortWay.isOpen()).isTrue();
            assertThat(other.isOpen()).isFalse();
        }
        String told2 = "2: Redis failed: NOPERM of some kind";
        assertThat(told).containsExactly(told2);
        beatOfTwoNodes("-NOPERM of some kind\r\n", "-NOPERM of some kind\r\n");
        String told0 = "0: Redis failed: NOPERM of some kind";
        assertThat(told).as("though another was told of").containsExactly(told2, told0);
        beatOfTwoNodes("-NOPERM of some kind\r\n", "$1\r\n5\r\n");
        assertThat(other.isOpen()).isTrue();
        beatOfTwoNodes("-NOPERM of some kind\r\n", "-NOPERM of some kind\r\n");
        assertThat(told).as("again, as it had opened").containsExactly(told2, told0, told2);
    }

    @Test
    void a_node_that_runs_a_script_for_long_says_nothing_of_the_way() throws InterruptedException {
        String error = "-BUSY Redis is busy running a script\r\n";
        beatOfTwoNodes("$1\r\n5\r\n", error);
        assertThat(other.isOpen()).as("it never was").isFalse();
        beatOfTwoNodes("$1\r\n5\r\n", "$1\r\n5\r\n");
        beatOfTwoNodes("$1\r\n5\r\n", error);
        assertThat(other.isOpen()).isTrue();
        assertThat(told).isEmpty();
    }

    @Test
    void it_forgets_within_nine_minutes_which_counters_had_begun() throws InterruptedException {
        CounterKey key = StoreContract.key("a");
        long before = System.nanoTime() - TimeUnit.MINUTES.toNanos(2);
        shortWay.counted(
                Check.of(key, StoreContract.TEN_A_MINUTE, 1),
                FixedWindowModel.begun(TimeUnit.MINUTES.toMicros(1), StoreContract.NOON_MICROS) + 1,
                StoreContract.NOON_MICROS,
                before);
        assertThat(shortWay.isBegun(key, before)).isTrue();
        for (int second = 0; second < 512; second++) {
            beat(answered("$1\r\n5\r\n"), true);
        }
        assertThat(shortWay.isBegun(key, before)).isFalse();
    }

    private void beat(CompletableFuture<PlainCall> answer, boolean isRedisThere) throws InterruptedException {
        probe.ask(new int[] {0, 0, 0}, _ -> {
            calls++;
            return answer;
        });
        probe.hear(isRedisThere);
    }

    private void beatOfTwoNodes(String time, String another) throws InterruptedException {
        probe.ask(new int[] {0, 0, 2}, number -> answered(number == 0 ? time : another));
        probe.hear(true);
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
