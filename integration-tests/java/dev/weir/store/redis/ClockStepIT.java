package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Redis's clock is set back while counters are full: ten a minute, by each algorithm. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ClockStepIT {
    private static final long MINUTE = 60_000_000;
    private static final long FULL = StoreContract.NOON_MICROS + MINUTE / 2;
    private static final int LIMIT = 10;

    private final RedisServer redis = RedisServer.start();
    private final RedisBench bench = RedisBench.withTestClock(redis);

    private int counters;

    @BeforeAll
    void connect() {
        bench.awaitReached();
    }

    @AfterAll
    void end() {
        bench.close();
        redis.close();
    }

    static Stream<Algorithm> algorithms() {
        return Stream.of(
                new Algorithm.FixedWindow(),
                new Algorithm.SlidingWindow(1),
                new Algorithm.SlidingWindow(6),
                new Algorithm.SlidingLog(),
                new Algorithm.TokenBucket(LIMIT),
                new Algorithm.LeakyBucket(LIMIT),
                new Algorithm.Gcra(LIMIT));
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void seconds_back_the_counter_is_still_full(Algorithm algorithm) {
        assertThat(afterStep(algorithm, 29_000_000)).isZero();
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void over_a_boundary_back_the_counter_is_still_full(Algorithm algorithm) {
        assertThat(afterStep(algorithm, 31_000_000)).isZero();
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void an_hour_or_a_year_back_it_begins_anew_and_admits_the_limit_once(Algorithm algorithm) {
        assertThat(afterStep(algorithm, 60 * MINUTE)).isEqualTo(LIMIT);
        assertThat(afterStep(algorithm, 365 * 24 * 60 * MINUTE)).isEqualTo(LIMIT);
    }

    /** One window to reach what was counted, and the two in which a sliding one still sees it. */
    @ParameterizedTest
    @MethodSource("algorithms")
    void three_windows_later_nothing_is_stuck(Algorithm algorithm) {
        for (long back : new long[] {29_000_000, 31_000_000, MINUTE, 60 * MINUTE}) {
            afterStep(algorithm, back);
            RedisBench.setClock(redis, FULL - back + 3 * MINUTE);
            assertThat(admittedOf(hits(algorithm, name()))).isEqualTo(LIMIT);
        }
    }

    /** A refund writes a log as a hit does: without what has left the window by then. */
    @Test
    void what_has_left_a_log_at_a_refund_is_gone_though_the_clock_steps_back() {
        var limit = Limit.of(Quota.per(Unit.MINUTE, LIMIT), new Algorithm.SlidingLog());
        var key = StoreContract.key("refunded log");
        RedisBench.setClock(redis, FULL);
        ask(Check.of(key, limit, 1));
        RedisBench.setClock(redis, FULL + 20_000_000);
        ask(Check.of(key, limit, 2));
        RedisBench.setClock(redis, FULL + 50_000_000);
        ask(Check.of(key, limit, 3));
        RedisBench.setClock(redis, FULL + 70_000_000);
        assertThat(ask(Check.refund(key, limit, 3)).remaining()).isEqualTo(LIMIT - 2);
        RedisBench.setClock(redis, FULL + 40_000_000);
        assertThat(ask(Check.of(key, limit, 0)).remaining()).isEqualTo(LIMIT - 2);
    }

    private Reading ask(Check check) {
        return join(bench.store.decide(Plan.of(List.of(check))).toCompletableFuture());
    }

    /** Fills a counter of its own, sets the clock back, and returns how many more are admitted. */
    private long afterStep(Algorithm algorithm, long back) {
        counters++;
        RedisBench.setClock(redis, FULL);
        assertThat(admittedOf(hits(algorithm, name()))).isEqualTo(LIMIT);
        RedisBench.setClock(redis, FULL - back);
        return admittedOf(hits(algorithm, name()));
    }

    /** Equal checks that were merged into one read as those that were asked one by one, on Redis as in the models. */
    @ParameterizedTest
    @MethodSource("algorithms")
    void checks_that_travel_together_read_as_those_that_come_alone(Algorithm algorithm) {
        RedisBench.setClock(redis, FULL);
        int merged = bench.merged.get();
        List<Reading> together = hits(algorithm, "together");
        for (int again = 1; bench.merged.get() == merged && again < 100; again++) { // Redis was faster than we
            together = hits(algorithm, "together " + again);
        }
        assertThat(bench.merged.get()).as("some were merged").isGreaterThan(merged);
        List<Reading> alone = IntStream.range(0, 2 * LIMIT)
                .mapToObj(_ -> join(ask(algorithm, "alone")))
                .toList();
        assertThat(together).isEqualTo(alone);
    }

    private String name() {
        return "counter" + counters;
    }

    private List<Reading> hits(Algorithm algorithm, String counter) {
        return IntStream.range(0, 2 * LIMIT).mapToObj(_ -> ask(algorithm, counter)).toList().stream()
                .map(ClockStepIT::join)
                .toList();
    }

    private CompletableFuture<List<Reading>> ask(Algorithm algorithm, String counter) {
        var limit = Limit.of(Quota.per(Unit.MINUTE, LIMIT), algorithm);
        var key = StoreContract.key(counter + algorithm.number());
        return bench.store.decide(Plan.of(List.of(Check.of(key, limit, 1)))).toCompletableFuture();
    }

    private static Reading join(CompletableFuture<List<Reading>> asked) {
        return asked.orTimeout(10, TimeUnit.SECONDS).join().getFirst();
    }

    private static long admittedOf(List<Reading> readings) {
        return readings.stream().filter(Reading::isAdmitted).count();
    }
}
