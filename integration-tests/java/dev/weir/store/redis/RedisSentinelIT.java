package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.layer.DeadlineStore;
import dev.weir.store.redis.RedisOptions.Topology;
import dev.weir.testing.Eventually;
import dev.weir.testing.MostlyWaits;
import dev.weir.testing.RedisSentinels;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A master that sentinels watch, and that another one takes over from while hits are counted. */
@MostlyWaits
final class RedisSentinelIT {
    private static final Limit PLENTY = Limit.fixedWindow(Quota.per(Unit.YEAR, 4_000_000_000L));
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofSeconds(5);
    private static final String WRONG_PASSWORD = "WRONGPASS invalid username-password pair or user is disabled.";
    private static final int CALLERS = 8;
    private static final long PAUSE_NANOS = 1_000_000;

    @Test
    void a_master_that_dies_is_replaced_and_no_more_is_forgotten_than_was_under_way() {
        try (var redis = RedisSentinels.start();
                var bench = RedisBench.on(topology(redis, null), SHORT).awaitReached();
                var load = new Load(bench)) {
            load.awaitCounted(500);
            redis.first().stop();
            load.awaitFailed();
            redis.awaitMaster(redis.second());
            load.awaitCounted(load.counted.get() + 500);
            load.stop();
            long kept = PLENTY.quota().hits() - look(bench);
            // What a caller was told to have counted may have died with the master before the replica had it.
            assertThat(kept)
                    .isBetween((long) load.counted.get() - CALLERS, (long) load.counted.get() + load.failed.get());
            assertThat(load.longestFailureMillis())
                    .as("ms without a single answer")
                    .isLessThan(15_000);
        }
    }

    @Test
    void a_master_that_steps_down_is_left_for_the_new_one() {
        try (var redis = RedisSentinels.start();
                var bench = RedisBench.on(topology(redis, null), SHORT).awaitReached();
                var load = new Load(bench)) {
            load.awaitCounted(500);
            redis.failOver();
            redis.awaitMaster(redis.second());
            Eventually.await("the old master follows the new one", () -> isReplica(redis));
            load.awaitCounted(load.counted.get() + 500);
            load.stop();
            long kept = PLENTY.quota().hits() - look(bench);
            assertThat(kept).isLessThanOrEqualTo(load.counted.get() + load.failed.get());
            assertThat(redis.second().command("GET", countersKey())).isNotNull();
        }
    }

    @Test
    void sentinels_that_ask_for_a_password_are_told_it_with_and_without_one_for_redis() {
        for (String password : new String[] {"", "for-redis"}) {
            String[] arguments = password.isEmpty()
                    ? new String[0]
                    : new String[] {"--requirepass", password, "--masterauth", password};
            try (var redis = RedisSentinels.start("for-sentinels", arguments);
                    var bench = RedisBench.on(
                                    topology(redis, "for-sentinels"), password.isEmpty() ? null : password, LONG)
                            .awaitReached()) {
                redis.stopSentinel(0);
                assertThat(hit(bench)).isEqualTo(PLENTY.quota().hits() - 1);
            }
        }
    }

    @Test
    void what_the_sentinels_do_not_know_or_do_not_tell_is_said_in_a_sentence() {
        try (var redis = RedisSentinels.start("for-sentinels")) {
            var nobody = new Topology.Sentinel("nobody", urls(redis), null, "for-sentinels");
            assertTold(nobody, "the sentinels watch no master of that name");
            assertTold(topology(redis, null), "the sentinels want a password (REDIS_SENTINEL_AUTH)");
            assertTold(topology(redis, "wrong"), "refused by the sentinels (REDIS_SENTINEL_AUTH): " + WRONG_PASSWORD);
        }
    }

    @Test
    void the_password_of_redis_is_not_told_to_sentinels_who_would_take_it() {
        String[] arguments = {"--requirepass", "for-both", "--masterauth", "for-both"};
        try (var redis = RedisSentinels.start("for-both", arguments)) {
            assertTold(topology(redis, null), "for-both", "the sentinels want a password (REDIS_SENTINEL_AUTH)");
            assertTold(topology(redis, "for-both"), "wrong", "refused by the master (REDIS_AUTH): " + WRONG_PASSWORD);
            assertTold(topology(redis, "for-both"), null, "refused by the master (REDIS_AUTH): " + WRONG_PASSWORD);
        }
    }

    @Test
    void sentinels_that_ask_for_no_password_are_told_none() {
        String[] arguments = {"--requirepass", "for-redis", "--masterauth", "for-redis"};
        try (var redis = RedisSentinels.start("", arguments);
                var bench =
                        RedisBench.on(topology(redis, null), "for-redis", LONG).awaitReached()) {
            assertThat(hit(bench)).isEqualTo(PLENTY.quota().hits() - 1);
        }
    }

    private static void assertTold(Topology topology, String reason) {
        assertTold(topology, null, reason);
    }

    private static void assertTold(Topology topology, @Nullable String password, String reason) {
        try (var bench = RedisBench.on(topology, password, SHORT)) {
            Eventually.await("the reason is told", () -> !bench.heard.isEmpty());
            assertThat(bench.heard.getFirst())
                    .isEqualTo("lost: Redis at " + topology + " cannot be reached: " + reason)
                    .doesNotContain("for-sentinels", "for-both");
        }
    }

    private static boolean isReplica(RedisSentinels redis) {
        return String.valueOf(redis.first().command("INFO", "replication")).contains("role:slave");
    }

    private static Topology topology(RedisSentinels redis, @Nullable String sentinelPassword) {
        return new Topology.Sentinel(RedisSentinels.MASTER, urls(redis), null, sentinelPassword);
    }

    private static List<String> urls(RedisSentinels redis) {
        return redis.addresses().map(address -> "redis://" + address).toList();
    }

    private static CounterKey key() {
        byte[] bytes = "user".getBytes(StandardCharsets.US_ASCII);
        return new CounterKey(bytes, bytes.length);
    }

    private static String countersKey() {
        return new String(new HashTags("", RedisBench.TAGS).redisKey(key()), StandardCharsets.ISO_8859_1);
    }

    private static long hit(RedisBench bench) {
        return ask(bench.store, 1).join().remaining();
    }

    /** Asks again where the short time of who watches a dead master has run out: a look counts nothing. */
    private static long look(RedisBench bench) {
        var seen = new AtomicLong();
        Eventually.await(
                "it is told what is left",
                () -> ask(bench.store, 0)
                        .handle((reading, failure) -> {
                            if (failure == null) {
                                seen.set(reading.remaining());
                            }
                            return failure == null;
                        })
                        .join());
        return seen.get();
    }

    private static CompletableFuture<Reading> ask(Store store, long hits) {
        return store.decide(Plan.of(List.of(Check.of(key(), PLENTY, hits))))
                .thenApply(List::getFirst)
                .toCompletableFuture();
    }

    /** Callers that hit one counter as fast as they are answered, one hit of each under way. */
    private static final class Load implements AutoCloseable {
        final AtomicInteger counted = new AtomicInteger();
        final AtomicInteger failed = new AtomicInteger();
        private final AtomicBoolean isOver = new AtomicBoolean();
        private final AtomicLong lastAnswer = new AtomicLong(System.nanoTime());
        private final AtomicLong longestGap = new AtomicLong();
        private final DeadlineStore store;
        private final List<CompletableFuture<Void>> callers;

        Load(RedisBench bench) {
            store = new DeadlineStore(bench.store, SHORT);
            callers = IntStream.range(0, CALLERS)
                    .mapToObj(_ -> CompletableFuture.runAsync(this::call, Thread::startVirtualThread))
                    .toList();
        }

        private void call() {
            while (!isOver.get()) {
                try {
                    assertThat(ask(store, 1).join().isAdmitted()).isTrue();
                    counted.incrementAndGet();
                    long now = System.nanoTime();
                    long gap = now - lastAnswer.getAndSet(now);
                    longestGap.accumulateAndGet(gap, Math::max);
                } catch (CompletionException _) {
                    failed.incrementAndGet();
                    LockSupport.parkNanos(PAUSE_NANOS); // a refused connection fails at once: leave others some time
                }
            }
        }

        void awaitCounted(int count) {
            Eventually.await(count + " hits are counted", Duration.ofSeconds(60), () -> counted.get() >= count);
        }

        void awaitFailed() {
            Eventually.await("a hit fails", () -> failed.get() > 0);
        }

        long longestFailureMillis() {
            return Duration.ofNanos(longestGap.get()).toMillis();
        }

        void stop() {
            isOver.set(true);
            for (var caller : callers) {
                caller.join(); // throws what went wrong there
            }
        }

        @Override
        public void close() {
            isOver.set(true);
            store.close();
        }
    }
}
