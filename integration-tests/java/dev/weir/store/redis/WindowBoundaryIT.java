package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.StoreContract;
import dev.weir.testing.MostlyWaits;
import dev.weir.testing.RedisServer;
import dev.weir.testing.RedisVersion;
import dev.weir.testing.RedisVersions;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Real time, real load: one counter of 100 a second over twenty boundaries. Redis's expiry has a millisecond of its own
 * idea of when a window ends; not a hit may cross with it.
 */
@MostlyWaits
final class WindowBoundaryIT {
    private static final int LIMIT = 100;
    private static final int BOUNDARIES = 20;
    private static final int OUTSTANDING = 64;
    private static final Plan HIT =
            Plan.of(List.of(Check.of(StoreContract.key("hot"), Limit.fixedWindow(Quota.per(Unit.SECOND, LIMIT)), 1)));

    static List<RedisVersion> versions() {
        return RedisVersions.available();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void every_window_begins_empty_and_admits_its_limit_one_by_one(RedisVersion version) {
        try (var redis = RedisServer.start(version);
                var bench = RedisBench.inOrder(redis.port()).awaitReached()) {
            var outstanding = new ArrayDeque<CompletableFuture<List<Reading>>>();
            long expected = -1;
            int windows = 0;
            long refused = 0;
            while (windows <= BOUNDARIES) {
                while (outstanding.size() < OUTSTANDING) {
                    outstanding.add(bench.store.decide(HIT).toCompletableFuture());
                }
                Reading reading = outstanding
                        .remove()
                        .orTimeout(5, TimeUnit.SECONDS)
                        .join()
                        .getFirst();
                if (!reading.isAdmitted()) {
                    assertThat(expected).as("refused with hits left").isLessThanOrEqualTo(0);
                    refused++;
                } else if (reading.available() == LIMIT) {
                    windows++;
                    expected = LIMIT - 1;
                } else {
                    assertThat(reading.available())
                            .as("hits left in window %d", windows)
                            .isEqualTo(expected);
                    expected--;
                }
            }
            assertThat(refused).as("there was load").isGreaterThan(BOUNDARIES * LIMIT);
        }
    }
}
