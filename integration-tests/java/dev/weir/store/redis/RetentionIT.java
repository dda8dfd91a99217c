package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Store;
import dev.weir.store.StoreContract;
import dev.weir.testing.Eventually;
import dev.weir.testing.MostlyWaits;
import dev.weir.testing.RedisServer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whoever makes up a million names leaves nothing behind: every key has an expiry from the step that writes it on, and when
 * the windows are over the database is empty.
 */
@MostlyWaits
final class RetentionIT {
    private static final int KEYS = 1_000_000;
    private static final int LOOKS = 100;
    private static final int ROUNDS = 1_000;
    private static final int OUTSTANDING = 2_048;

    /** Looks at some keys within Redis, where nothing can come in between: how many never expire, and the longest life. */
    private static final String LOOK_AT_EXPIRIES = """
            local endless, longest, cursor, seen = 0, 0, ARGV[1], 0
            repeat
              local page = redis.call('SCAN', cursor, 'COUNT', 100)
              cursor = page[1]
              for _, key in ipairs(page[2]) do
                local life = redis.call('PTTL', key)
                endless = life == -1 and endless + 1 or endless
                longest = math.max(longest, life)
                seen = seen + 1
              end
            until cursor == '0' or seen >= 10000
            return { endless, longest, cursor }
            """;

    /** Two windows of a second, and the second by which Redis may tidy up later. */
    private static final long LONGEST_LIFE_MILLIS = 3_001;

    private static final Quota ONE_A_SECOND = new Quota(1, 1);

    private static List<Limit> limits() {
        return Stream.of(
                        new Algorithm.FixedWindow(),
                        new Algorithm.SlidingWindow(1),
                        new Algorithm.SlidingWindow(5),
                        new Algorithm.SlidingLog(),
                        new Algorithm.TokenBucket(1),
                        new Algorithm.LeakyBucket(1),
                        new Algorithm.Gcra(1))
                .flatMap(algorithm -> Stream.of(Charge.values())
                        .filter(algorithm::canCharge)
                        .flatMap(charge -> IntStream.of(0, 1)
                                .mapToObj(block -> new Limit(ONE_A_SECOND, algorithm, charge, block))))
                .toList();
    }

    @Test
    void a_million_counters_of_all_kinds_expire_and_leave_nothing() {
        List<Limit> limits = limits();
        try (var redis = RedisServer.start()) {
            try (var bench = RedisBench.on(redis.port()).awaitReached()) {
                var outstanding = new ArrayDeque<CompletableFuture<?>>();
                var expiries = new Expiries(redis);
                for (int i = 0; i < KEYS; i++) {
                    Limit limit = limits.get(i % limits.size());
                    // Half of those that can lock are asked for more than they have, so that they do.
                    int hits = 1 + i / limits.size() % 2;
                    outstanding.add(ask(bench.store, List.of(Check.of(key(i), limit, hits))));
                    if (outstanding.size() > OUTSTANDING) {
                        join(outstanding.remove());
                    }
                    if (i % (KEYS / LOOKS) == 0) {
                        assertThat(expiries.longestLife()).isLessThanOrEqualTo(LONGEST_LIFE_MILLIS);
                    }
                }
                outstanding.forEach(RetentionIT::join);
                assertThat((Long) redis.command("DBSIZE"))
                        .as("counters of the last seconds")
                        .isGreaterThan(OUTSTANDING);
            }
            Eventually.await("the database is empty", () -> Long.valueOf(0).equals(redis.command("DBSIZE")));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatever_becomes_of_a_counter_it_keeps_an_expiry(long seed) {
        try (var redis = RedisServer.start();
                var bench = RedisBench.on(redis.port()).awaitReached()) {
            var drawn = new RandomPlans(new SplittableRandom(seed), 1, 2, 3, 4, 5, 6, 7);
            var expiries = new Expiries(redis);
            for (int round = 0; round < ROUNDS; round++) {
                List<Plan> plans = drawn.next(System.currentTimeMillis() * 1_000);
                plans.stream()
                        .map(plan -> bench.store.decide(plan).toCompletableFuture())
                        .toList()
                        .forEach(RetentionIT::join);
                assertThat(expiries.longestLife())
                        .as("seed %d, round %d, after one of %s", seed, round, plans)
                        .isPositive();
            }
        }
    }

    @Test
    void a_log_that_a_refund_has_written_anew_still_expires() {
        var log = Limit.of(new Quota(10, 60), new Algorithm.SlidingLog());
        try (var redis = RedisServer.start();
                var bench = RedisBench.on(redis.port()).awaitReached()) {
            join(ask(bench.store, List.of(Check.of(key(1), log, 3))));
            join(ask(bench.store, List.of(Check.refund(key(1), log, 1))));
            assertThat(new Expiries(redis).longestLife()).isGreaterThan(TimeUnit.SECONDS.toMillis(50));
        }
    }

    @Test
    void a_log_from_which_a_charge_was_given_back_still_expires() {
        var log = Limit.of(new Quota(10, 60), new Algorithm.SlidingLog());
        var hit = Check.of(StoreContract.key("a"), log, 3);
        try (var redis = RedisServer.start();
                var bench = RedisBench.on(redis.port()).awaitReached()) {
            join(ask(bench.store, List.of(hit)));
            var entry = (List<?>) redis.command("ZRANGE", Hits.redisKey("a"), "0", "0", "WITHSCORES");
            long chargedAt =
                    Long.parseLong(String.valueOf(Objects.requireNonNull(entry).get(1)));
            join(ask(bench.store, List.of(Check.of(hit.key(), log, 1).givenBack(chargedAt))));
            assertThat(new Expiries(redis).longestLife()).isGreaterThan(TimeUnit.SECONDS.toMillis(50));
        }
    }

    @ParameterizedTest
    @MethodSource("evenOnes")
    void the_limit_that_takes_longest_keeps_a_bucket_wherever_it_stands_in_the_request(LongFunction<Algorithm> even) {
        var small = new Limit(new Quota(1, 60), even.apply(100), Charge.ON_ADMIT, 0);
        var large = new Limit(new Quota(6_000, 60), even.apply(6_000), Charge.ON_ADMIT, 0);
        var larger = new Limit(new Quota(12_000, 60), even.apply(12_000), Charge.ON_ADMIT, 0);
        try (var redis = RedisServer.start();
                var bench = RedisBench.on(redis.port()).awaitReached()) {
            join(ask(
                    bench.store,
                    List.of(Check.of(key(1), small, 98), Check.of(key(1), large, 1), Check.of(key(1), larger, 1))));
            assertThat(new Expiries(redis).longestLife()).isGreaterThan(TimeUnit.MINUTES.toMillis(97));
        }
    }

    /** Those that limits drain at rates of their own. */
    static List<Named<LongFunction<Algorithm>>> evenOnes() {
        return List.of(Named.of("token_bucket", Algorithm.TokenBucket::new), Named.of("gcra", Algorithm.Gcra::new));
    }

    @ParameterizedTest
    @MethodSource("evenOnes")
    void a_bucket_that_a_larger_limit_drains_sooner_stays_for_the_smaller_one(LongFunction<Algorithm> even) {
        var smaller = new Limit(new Quota(1, 60), even.apply(100), Charge.ON_ADMIT, 0);
        var larger = new Limit(new Quota(6_000, 60), even.apply(6_000), Charge.ON_ADMIT, 0);
        try (var redis = RedisServer.start();
                var bench = RedisBench.on(redis.port()).awaitReached()) {
            join(ask(bench.store, List.of(Check.of(key(1), smaller, 100))));
            join(ask(bench.store, List.of(Check.of(key(1), larger, 1))));
            assertThat(new Expiries(redis).longestLife()).isGreaterThan(TimeUnit.MINUTES.toMillis(99));
        }
    }

    @ParameterizedTest
    @MethodSource("evenOnes")
    void a_larger_limit_in_the_same_request_takes_no_time_from_the_smaller_one(LongFunction<Algorithm> even) {
        var smaller = new Limit(new Quota(1, 60), even.apply(100), Charge.ON_ADMIT, 0);
        var larger = new Limit(new Quota(6_000, 60), even.apply(6_000), Charge.ON_ADMIT, 0);
        try (var redis = RedisServer.start();
                var bench = RedisBench.on(redis.port()).awaitReached()) {
            join(ask(bench.store, List.of(Check.of(key(1), smaller, 99), Check.of(key(1), larger, 1))));
            assertThat(new Expiries(redis).longestLife()).isGreaterThan(TimeUnit.MINUTES.toMillis(98));
        }
    }

    /** Where limits alternate on such a counter, and only there, expiry decides something: docs/algorithms.md tells it so. */
    @ParameterizedTest
    @MethodSource("evenOnes")
    void what_a_larger_limit_adds_to_a_bucket_is_forgotten_at_its_own_rate(LongFunction<Algorithm> even) {
        var smaller = new Limit(new Quota(10, 3_600), even.apply(10), Charge.ON_ADMIT, 0);
        var larger = new Limit(new Quota(1_000, 3_600), even.apply(1_000), Charge.ON_ADMIT, 0);
        try (var redis = RedisServer.start();
                var bench = RedisBench.on(redis.port()).awaitReached()) {
            join(ask(bench.store, List.of(Check.of(key(1), smaller, 1))));
            join(ask(bench.store, List.of(Check.of(key(1), larger, 500))));
            assertThat(new Expiries(redis).longestLife())
                    .isBetween(TimeUnit.MINUTES.toMillis(29), TimeUnit.MINUTES.toMillis(31));
        }
    }

    private static CompletableFuture<?> ask(Store store, List<Check> checks) {
        return store.decide(Plan.of(checks)).toCompletableFuture();
    }

    private static CounterKey key(int number) {
        byte[] bytes = ByteBuffer.allocate(24).putInt(20, number).array();
        return new CounterKey(bytes, bytes.length);
    }

    private static void join(CompletableFuture<?> answer) {
        answer.orTimeout(10, TimeUnit.SECONDS).join();
    }

    /** Looks through the keys of a Redis, up to ten thousand at a time, and goes on from there the next time. */
    private static final class Expiries {
        private final RedisServer redis;
        private String cursor = "0";

        Expiries(RedisServer redis) {
            this.redis = redis;
        }

        /** Returns the longest life of a key, in milliseconds. */
        long longestLife() {
            List<?> seen = Objects.requireNonNull((List<?>) redis.command("EVAL", LOOK_AT_EXPIRIES, "0", cursor));
            assertThat(seen.get(0)).as("keys that never expire").isEqualTo(0L);
            cursor = (String) seen.get(2);
            return (Long) seen.get(1);
        }
    }
}
