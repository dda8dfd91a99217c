package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.StoreContract;
import dev.weir.testing.RedisServer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Every thread has connections to Redis of its own. */
final class RedisLinesIT {
    private static final Limit TEN_A_YEAR = Limit.fixedWindow(Quota.per(Unit.YEAR, 10));

    @Test
    void what_a_thread_asks_it_is_answered_itself_and_all_count_together() {
        try (var redis = RedisServer.start();
                var bench = RedisBench.on(redis.port()).awaitReached()) {
            int left = 9;
            for (int round = 0; round < 2; round++) {
                for (int thread = 0; thread < bench.loops.count(); thread++) {
                    var answered = new CompletableFuture<Integer>();
                    var reading = decideOn(bench, thread, answered);
                    assertThat(reading.remaining()).isEqualTo(Math.max(0, left--));
                    assertThat(answered.join())
                            .as("the thread that was answered")
                            .isEqualTo(thread);
                }
            }
        }
    }

    /** Decides on a thread of the loops, and completes {@code answered} with the one that brought the answer. */
    private static Reading decideOn(RedisBench bench, int thread, CompletableFuture<Integer> answered) {
        var check = Check.of(StoreContract.key("a"), TEN_A_YEAR, 1);
        var decided = new CompletableFuture<List<Reading>>();
        bench.loops.loop(thread).execute(() -> {
            var _ = bench.store.decide(Plan.of(List.of(check))).whenComplete((readings, failure) -> {
                answered.complete(bench.loops.current());
                if (failure == null) {
                    decided.complete(readings);
                } else {
                    decided.completeExceptionally(failure);
                }
            });
        });
        return decided.orTimeout(5, TimeUnit.SECONDS).join().getFirst();
    }

    @Test
    void whoever_is_no_thread_of_the_loops_is_answered_too() {
        try (var redis = RedisServer.start();
                var bench = RedisBench.on(redis.port()).awaitReached()) {
            assertThat(bench.loops.current()).isEqualTo(-1);
            var check = Check.of(StoreContract.key("a"), TEN_A_YEAR, 1);
            var readings = bench.store.decide(Plan.of(List.of(check))).toCompletableFuture();
            assertThat(readings.orTimeout(5, TimeUnit.SECONDS).join()).hasSize(1);
        }
    }
}
