package dev.weir.store.redis;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.testing.Eventually;
import dev.weir.testing.MostlyWaits;
import dev.weir.testing.RedisServer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A Redis that stood still adds what it was sent when the windows are over. That begins counters that end never, nobody has heard
 * of it, and they expire all the same.
 */
@MostlyWaits
final class OwedExpiryIT {
    private static final Limit ONE_A_SECOND = Limit.fixedWindow(new Quota(1, 1));
    private static final int COUNTERS = 100;

    /** The window in which hits are added, and the second for which Redis keeps a counter longer; not until it is looked up. */
    private static final Duration STANDSTILL = Duration.ofMillis(2_100);

    /** How many of the counters that are asked for here there are, and how many of them never expire. */
    private static final String COUNT = """
            local all, endless = 0, 0
            for _, key in ipairs(redis.call('KEYS', '*')) do
              if not string.find(key, 'pulse', 1, true) then
                all = all + 1
                endless = redis.call('PTTL', key) == -1 and endless + 1 or endless
              end
            end
            return { all, endless }
            """;

    private final RedisServer redis = RedisServer.start();
    private final RedisBench bench = RedisBench.on(redis.port(), Duration.ofMillis(250));

    @BeforeEach
    void awaitReached() {
        bench.awaitReached();
    }

    @AfterEach
    void end() {
        bench.close();
        redis.close();
    }

    @Test
    void what_was_added_too_late_expires_as_well() {
        leaveWithoutExpiry();
        assertThatAllExpire();
    }

    @Test
    void so_does_what_a_full_redis_refuses_to_look_up_at_first() {
        Eventually.await("Redis is full before they are looked up", () -> {
            redis.command("CONFIG", "SET", "maxmemory", "0");
            leaveWithoutExpiry();
            redis.command("CONFIG", "SET", "maxmemory", "1");
            return count(1) > 0;
        });
        awaitUntil("they were looked up", System.nanoTime() + TimeUnit.SECONDS.toNanos(5));
        redis.command("CONFIG", "SET", "maxmemory", "0");
        assertThatAllExpire();
    }

    @Test
    void so_does_what_was_added_too_late_a_moment_before_an_orderly_end() {
        leaveWithoutExpiry();
        bench.close();
        assertThatAllExpire();
    }

    /** Once more where none is left so: the hits may have gone by the script, or were looked up already. */
    private void leaveWithoutExpiry() {
        Eventually.await("hits went the short way, and came too late", () -> {
            if (!askEach().stream().allMatch(OwedExpiryIT::isHeard)) {
                return false; // the machine stood still, and not Redis
            }
            redis.pause();
            long over = System.nanoTime() + STANDSTILL.toNanos();
            askEach().forEach(OwedExpiryIT::isHeard);
            awaitUntil("the windows are over, and the second behind them", over);
            redis.resume();
            Eventually.await("Redis answers again", this::isAnswered);
            return count(1) > 0;
        });
    }

    private static void awaitUntil(String what, long nanos) {
        Eventually.await(what, () -> System.nanoTime() - nanos > 0);
    }

    private List<CompletableFuture<?>> askEach() {
        return IntStream.range(0, COUNTERS)
                .<CompletableFuture<?>>mapToObj(this::ask)
                .toList();
    }

    private boolean isAnswered() {
        return isHeard(ask(0));
    }

    /** Waits for the end of what was asked. */
    private static boolean isHeard(CompletableFuture<?> asked) {
        return asked.handle((_, failure) -> failure == null)
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
    }

    private CompletableFuture<?> ask(int number) {
        byte[] bytes = ByteBuffer.allocate(24).putInt(20, number).array();
        var check = Check.of(new CounterKey(bytes, bytes.length), ONE_A_SECOND, 1);
        return bench.store.decide(Plan.of(List.of(check))).toCompletableFuture();
    }

    private void assertThatAllExpire() {
        Eventually.await("none is left", () -> count(0) == 0);
    }

    private long count(int which) {
        List<?> counts = Objects.requireNonNull((List<?>) redis.command("EVAL", COUNT, "0"));
        return (Long) Objects.requireNonNull(counts.get(which));
    }
}
