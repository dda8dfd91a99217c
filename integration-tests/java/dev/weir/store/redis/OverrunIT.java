package dev.weir.store.redis;

import static dev.weir.store.redis.Hits.onAdmit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.Plan;
import dev.weir.store.Store;
import dev.weir.store.layer.DeadlineStore;
import dev.weir.testing.Eventually;
import dev.weir.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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
                askAgainAndAgain(store);
            }
            Eventually.await("all callers were late", () -> late.get() > CALLERS);
            int before = inTime.get();
            Eventually.await("and yet others are in time", () -> inTime.get() > before + 100);
            assertThat(bench.overruns).hasPositiveValue();
            isOver = true;
            Eventually.await("the last one has left", () -> under.get() == 0);
            assertThat((Long) redis.command("DBSIZE"))
                    .as("counters, of which each was asked for once")
                    .isGreaterThanOrEqualTo(inTime.get());
        }
    }

    private void askAgainAndAgain(Store store) {
        under.incrementAndGet();
        var _ = store.decide(Plan.of(List.of(onAdmit("counter " + begun.incrementAndGet()))))
                .whenCompleteAsync((_, failure) -> { // else what fails at once would be asked again on the same stack
                    (failure == null ? inTime : late).incrementAndGet();
                    if (!isOver) {
                        askAgainAndAgain(store);
                    }
                    under.decrementAndGet();
                });
    }
}
