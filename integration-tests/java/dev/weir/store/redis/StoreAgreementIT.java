package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
import dev.weir.limit.RandomLimits;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreContract;
import dev.weir.store.memory.ManualTicker;
import dev.weir.store.memory.MemoryStore;
import dev.weir.testing.RedisServer;
import dev.weir.testing.RedisVersion;
import dev.weir.testing.RedisVersions;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The script and the models answer the same, check for check, to the same plans at the same instants. */
final class StoreAgreementIT {
    private static final int STEPS = 10_000;
    private static final int[] ALL =
            RandomLimits.algorithms().stream().mapToInt(Algorithm::number).toArray();

    static Stream<Arguments> algorithms() {
        return RedisVersions.available().stream()
                .flatMap(version -> IntStream.of(ALL).mapToObj(number -> Arguments.of(version, number)));
    }

    static Stream<Arguments> mixtures() {
        return RedisVersions.available().stream()
                .flatMap(version -> Stream.of(1L, 2L, 3L).map(seed -> Arguments.of(version, seed)));
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void redis_reads_what_memory_reads_with_each_algorithm(RedisVersion version, int algorithm) {
        compare(version, 100 + algorithm, algorithm);
    }

    @ParameterizedTest
    @MethodSource("mixtures")
    void redis_reads_what_memory_reads_with_all_of_them_in_one_batch(RedisVersion version, long seed) {
        compare(version, seed, ALL);
    }

    private static void compare(RedisVersion version, long seed, int... algorithms) {
        var drawn = new RandomPlans(new SplittableRandom(seed), algorithms);
        var ticker = new ManualTicker();
        try (var redis = RedisServer.start(version);
                var bench = RedisBench.withTestClock(redis).awaitReached();
                var memory = new MemoryStore(ticker, 1_000_000, Long.MAX_VALUE)) {
            long now = StoreContract.NOON_MICROS;
            for (int step = 0; step < STEPS; ) {
                now = drawn.after(now);
                ticker.set(now);
                RedisBench.setClock(redis, now);
                List<Plan> plans = drawn.next(now);
                List<List<Reading>> redisReads = readings(bench.store, plans);
                List<List<Reading>> memoryReads = readings(memory, plans);
                for (int i = 0; i < plans.size(); i++) {
                    assertThat(redisReads.get(i))
                            .as("seed %d, step %d, at %d, plan %d of %s", seed, step, now, i, plans)
                            .isEqualTo(memoryReads.get(i));
                }
                step += plans.size();
            }
            assertThat(bench.merged).as("equal checks met in batches").hasPositiveValue();
            assertThat(countersIn(redis))
                    .as("seed %d: counters that hold something", seed)
                    .isEqualTo(memory.size());
        }
    }

    /** A counter and its lock are one, and each can be there alone. */
    private static long countersIn(RedisServer redis) {
        List<?> keys = Objects.requireNonNull((List<?>) redis.command("KEYS", "*counter*"));
        return keys.stream()
                .map(key -> key.toString().replaceFirst("L$", ""))
                .distinct()
                .count();
    }

    private static List<List<Reading>> readings(Store store, List<Plan> plans) {
        List<CompletableFuture<List<Reading>>> asked = plans.stream()
                .map(plan -> store.decide(plan).toCompletableFuture())
                .toList();
        return asked.stream()
                .map(answer -> answer.orTimeout(10, TimeUnit.SECONDS).join())
                .toList();
    }
}
