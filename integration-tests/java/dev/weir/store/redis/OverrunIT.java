package dev.weir.store.redis;

import static dev.weir.store.redis.Hits.onAdmit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.Plan;
import dev.weir.store.Store;
import dev.weir.store.layer.DeadlineStore;
import dev.weir.testing.Eventually;
import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisServer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** More than Redis can take: it is not asked for those who are gone by the time of their answer. */
final class OverrunIT {
    /** Far more than Redis begins counters of in the time. */
    private static final int CALLERS = 1_000;

    private static final Duration PATIENCE = Duration.ofMillis(100);

    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger under = new AtomicInteger();
    private final AtomicInteger inTime = new AtomicInteger();
    private final AtomicInteger late = new AtomicInteger();
    private volatile boolean isOver;

    @Test
    void some_are_answered_in_time_however_many_come() {
        try (var redis = RedisServer.start();
                var bench = RedisBench.slow(redis.port()).awaitReached();
                var store = new DeadlineStore(bench.store, PATIENCE)) {
            for (int i = 0; i < CALLERS; i++) {
                askAgainAndAgain(store, 1);
            }
            assertSomeAreInTime(bench);
            assertThat((Long) redis.command("DBSIZE"))
                    .as("counters, of which each was asked for once")
                    .isGreaterThanOrEqualTo(inTime.get());
        }
    }

    /** Each node answers parts of other plans in time, if too many are begun. */
    @Test
    void some_are_answered_in_time_though_their_counters_are_spread_over_a_cluster() {
        try (var cluster = RedisCluster.start();
                var bench = RedisBench.slow(cluster).awaitReached();
                var store = new DeadlineStore(bench.store, PATIENCE)) {
            for (int i = 0; i < CALLERS; i++) {
                askAgainAndAgain(store, 8);
            }
            assertSomeAreInTime(bench);
        }
    }

    private void assertSomeAreInTime(RedisBench bench) {
        Eventually.await("all callers were late", () -> late.get() > CALLERS);
        int before = inTime.get();
        Eventually.await("and yet others are in time", () -> inTime.get() > before + 100);
        assertThat(bench.overruns).hasPositiveValue();
        isOver = true;
        Eventually.await("the last one has left", () -> under.get() == 0);
    }

    private void askAgainAndAgain(Store store, int counters) {
        under.incrementAndGet();
        var checks = Stream.generate(() -> onAdmit("counter " + begun.incrementAndGet()))
                .limit(counters)
                .toList();
        var _ = store.decide(Plan.of(checks))
                .whenCompleteAsync((_, failure) -> { // else what fails at once would be asked again on the same stack
                    (failure == null ? inTime : late).incrementAndGet();
                    if (!isOver) {
                        askAgainAndAgain(store, counters);
                    }
                    under.decrementAndGet();
                });
    }
}
