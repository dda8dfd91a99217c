package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.StoreContract;
import dev.weir.testing.Eventually;
import dev.weir.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A Redis that dies with calls under way, where these might wait far longer than it takes to come back. */
final class ClosedConnectionIT {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final Limit TEN_A_YEAR = Limit.fixedWindow(Quota.per(Unit.YEAR, 10));

    static Stream<Limit> theShortWayAndTheScript() {
        return Stream.of(TEN_A_YEAR, new Limit(TEN_A_YEAR.quota(), TEN_A_YEAR.algorithm(), Charge.ON_ADMIT, 0));
    }

    @ParameterizedTest
    @MethodSource("theShortWayAndTheScript")
    void ends_the_calls_under_way_and_their_turns(Limit limit) {
        try (var redis = RedisServer.start();
                var bench = RedisBench.on(redis.port(), LONG).awaitReached()) {
            assertThat(ask(bench, limit)).succeedsWithin(SOON);
            redis.pause();
            int before = bench.batches.get();
            var first = ask(bench, limit);
            var second = ask(bench, limit);
            redis.stop();
            for (var asked : List.of(first, second)) {
                assertThat(asked)
                        .failsWithin(SOON)
                        .withThrowableThat()
                        .havingRootCause()
                        .withMessage("Redis failed: the connection was closed");
            }
            assertThat(bench.batches.get() - before).as("sent once").isBetween(1, 3);
            long end = System.nanoTime() + SOON.toNanos();
            redis.restart();
            Eventually.await("Redis answers again", () -> isAnswered(bench, limit));
            assertThat(System.nanoTime()).as("soon").isLessThan(end);
        }
    }

    private static boolean isAnswered(RedisBench bench, Limit limit) {
        return ask(bench, limit).handle((_, failure) -> failure == null).join();
    }

    private static CompletableFuture<List<Reading>> ask(RedisBench bench, Limit limit) {
        return bench.store
                .decide(Plan.of(List.of(Check.of(StoreContract.key("a"), limit, 1))))
                .toCompletableFuture();
    }
}
