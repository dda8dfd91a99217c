package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.loop.EventLoops;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Store;
import dev.weir.store.StoreContract;
import dev.weir.store.layer.DeadlineStore;
import dev.weir.testing.Eventually;
import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** More than Redis can take: it is not asked for those who are gone by the time of their answer. */
@Isolated("how many are in time beside others depends on those")
final class OverrunIT {
    /** Far more than Redis begins counters of in the time. */
    private static final int CALLERS = 1_000;

    private static final Duration PATIENCE = Duration.ofMillis(100);

    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger under = new AtomicInteger();
    private final AtomicInteger inTime = new AtomicInteger();
    private final AtomicInteger late = new AtomicInteger();
    private volatile boolean isOver;

    @AfterEach
    void leave() {
        isOver = true;
    }

    @Test
    void some_are_answered_in_time_however_many_come() {
        try (var redis = RedisServer.start();
                var bench = RedisBench.slow(redis.port()).awaitReached();
                var store = new DeadlineStore(bench.store, PATIENCE)) {
            for (int i = 0; i < CALLERS; i++) {
                askAgainAndAgain(store, () -> onAdmit(1, Unit.YEAR));
            }
            assertSomeAreInTime(bench.overruns);
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
                askAgainAndAgain(store, () -> onAdmit(8, Unit.YEAR));
            }
            assertSomeAreInTime(bench.overruns);
        }
    }

    /** One after the other: what one Redis has counted is lost if the other does not come to it. */
    @Test
    void some_are_answered_in_time_though_their_counters_are_in_two_redis() {
        var overruns = new AtomicInteger();
        var listener = new DeafListener() {
            @Override
            public void overrun() {
                overruns.incrementAndGet();
            }
        };
        try (var first = RedisServer.start();
                var second = RedisServer.start();
                var loops = new EventLoops();
                var pair = RedisPair.start(
                        RedisBench.options(first.port()), RedisBench.options(second.port()), loops, listener);
                var store = new DeadlineStore(pair, PATIENCE)) {
            pair.firstReached()
                    .toCompletableFuture()
                    .orTimeout(30, TimeUnit.SECONDS)
                    .join();
            for (int i = 0; i < CALLERS; i++) {
                askAgainAndAgain(store, () -> Stream.concat(onAdmit(250, Unit.YEAR), onAdmit(250, Unit.SECOND)));
            }
            assertSomeAreInTime(overruns);
        }
    }

    private void assertSomeAreInTime(AtomicInteger overruns) {
        Eventually.await("all callers were late", () -> late.get() > CALLERS);
        int before = inTime.get();
        Eventually.await("and yet others are in time", () -> inTime.get() > before + 100);
        assertThat(overruns).hasPositiveValue();
        isOver = true;
        Eventually.await("the last one has left", () -> under.get() == 0);
    }

    private void askAgainAndAgain(Store store, Supplier<Stream<Check>> checks) {
        under.incrementAndGet();
        var _ = store.decide(Plan.of(checks.get().toList()))
                .whenCompleteAsync((_, failure) -> { // else what fails at once would be asked again on the same stack
                    (failure == null ? inTime : late).incrementAndGet();
                    if (!isOver) {
                        askAgainAndAgain(store, checks);
                    }
                    under.decrementAndGet();
                });
    }

    /** So many counters that nobody has asked for yet. */
    private Stream<Check> onAdmit(int count, Unit unit) {
        var limit = new Limit(Quota.per(unit, 1_000_000), new Algorithm.FixedWindow(), Charge.ON_ADMIT, 0);
        return Stream.generate(() -> Check.of(StoreContract.key("counter " + begun.incrementAndGet()), limit, 1))
                .limit(count);
    }
}
