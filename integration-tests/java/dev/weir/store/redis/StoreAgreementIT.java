package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreContract;
import dev.weir.store.memory.ManualTicker;
import dev.weir.store.memory.MemoryStore;
import dev.weir.testing.RedisServer;
import dev.weir.testing.RedisVersion;
import dev.weir.testing.RedisVersions;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The script and the model answer the same, check for check, to the same hits at the same instants. */
final class StoreAgreementIT {
    private static final int STEPS = 10_000;
    private static final int MOST_AT_ONCE = 12;
    private static final long[] WINDOWS = {1, 60, 3_600, 86_400, 604_800, 31_536_000};
    private static final long[] LIMITS = {0, 1, 2, 5, 20, 700_000, Quota.MAX_HITS};

    static Stream<Arguments> runs() {
        return RedisVersions.available().stream()
                .flatMap(version -> Stream.of(1L, 2L, 3L).map(seed -> Arguments.of(version, seed)));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void redis_reads_what_memory_reads(RedisVersion version, long seed) {
        var random = new SplittableRandom(seed);
        var ticker = new ManualTicker();
        try (var redis = RedisServer.start(version);
                var bench = RedisBench.withTestClock(redis).awaitReached();
                var memory = new MemoryStore(ticker, 1_000_000, Long.MAX_VALUE)) {
            long now = StoreContract.NOON_MICROS;
            for (int step = 0; step < STEPS; ) {
                now += elapsed(random);
                ticker.set(now);
                RedisBench.setClock(redis, now);
                List<Plan> plans = plans(random);
                assertThat(readings(bench.store, plans))
                        .as("seed %d, step %d, at %d: %s", seed, step, now, plans)
                        .isEqualTo(readings(memory, plans));
                step += plans.size();
            }
            assertThat(bench.merged).as("equal checks met in batches").hasPositiveValue();
        }
    }

    /** Mostly forwards by little; sometimes far ahead, sometimes back by seconds, an hour, a year. */
    private static long elapsed(SplittableRandom random) {
        return switch (random.nextInt(20)) {
            case 0 -> -random.nextLong(3_000_000);
            case 1 -> -3_600_000_000L;
            case 2 -> 3_700_000_000L;
            case 3 -> random.nextInt(20) == 0 ? -31_536_000_000_000L : 0;
            case 4 -> random.nextInt(20) == 0 ? 31_600_000_000_000L : 0;
            default -> random.nextLong(400_000);
        };
    }

    private static List<Plan> plans(SplittableRandom random) {
        var plans = new ArrayList<Plan>();
        Check repeated = check(random);
        for (int i = random.nextInt(MOST_AT_ONCE); i >= 0; i--) {
            var checks = new ArrayList<Check>();
            for (int j = random.nextInt(3); j >= 0; j--) {
                checks.add(random.nextInt(3) == 0 ? check(random) : repeated);
            }
            plans.add(Plan.of(checks));
        }
        return plans;
    }

    private static Check check(SplittableRandom random) {
        long window = WINDOWS[random.nextInt(WINDOWS.length)];
        long hits = random.nextInt(8) == 0 ? random.nextLong(1_000_000_001) : random.nextLong(4);
        var limit = Limit.fixedWindow(new Quota(LIMITS[random.nextInt(LIMITS.length)], window));
        // As in counter keys: the window is part of the counter, the limit is not.
        return (random.nextInt(6) == 0
                ? Check.refund(StoreContract.key("counter" + random.nextInt(4) + "/" + window), limit, hits)
                : Check.of(StoreContract.key("counter" + random.nextInt(4) + "/" + window), limit, hits));
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
