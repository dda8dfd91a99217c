package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Store;
import dev.weir.store.StoreContract;
import dev.weir.testing.RedisServer;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Real time, two stores on one Redis, and everybody asks as fast as they can: not a hit more than each algorithm states, and
 * not fewer than its definition must admit.
 *
 * <p>The instant at which Redis counted a hit lies between its sending and its answer, all three by this machine's clock. So
 * nothing is asserted of hits that may lie outside of a stretch where too many are the question, nor of those that may lie
 * inside where too few are: a slow answer makes a bound weaker, and no bound fails for it.
 */
final class SaturationIT {
    private static final long SECOND = 1_000_000;
    private static final long LIMIT = 50;
    private static final long BURST = 20;
    private static final int PARTS = 10;
    private static final long RUN_NANOS = TimeUnit.SECONDS.toNanos(6);
    private static final int THREADS_PER_STORE = 2;

    /** Enough to keep Redis busy, and few enough for answers that say when they were given, on a machine that is busy too. */
    private static final int OUTSTANDING = 16;

    private static final Map<Way, List<Asked>> ASKED = new EnumMap<>(Way.class);

    /** Each way of counting, on a counter of its own. */
    enum Way {
        FIXED_WINDOW,
        TWO_COUNTERS,
        SLIDING_PARTS,
        SLIDING_LOG,
        TOKEN_BUCKET,
        LEAKY_BUCKET,
        GCRA,
        LOCKED;

        Limit limit() {
            Quota quota = Quota.per(Unit.SECOND, LIMIT);
            return switch (this) {
                case FIXED_WINDOW -> Limit.fixedWindow(quota);
                case TWO_COUNTERS -> Limit.of(quota, new Algorithm.SlidingWindow(1));
                case SLIDING_PARTS -> Limit.of(quota, new Algorithm.SlidingWindow(PARTS));
                case SLIDING_LOG -> Limit.of(quota, new Algorithm.SlidingLog());
                case TOKEN_BUCKET -> Limit.of(quota, new Algorithm.TokenBucket(BURST));
                case LEAKY_BUCKET -> Limit.of(quota, new Algorithm.LeakyBucket(BURST));
                case GCRA -> Limit.of(quota, new Algorithm.Gcra(BURST));
                case LOCKED -> new Limit(quota, new Algorithm.Gcra(BURST), Charge.ON_ADMIT, 1);
            };
        }

        Plan hit() {
            return Plan.of(List.of(Check.of(StoreContract.key(name()), limit(), 1)));
        }

        /** The most hits between two of them so many microseconds apart, both counted. */
        LongUnaryOperator most() {
            return switch (this) {
                case FIXED_WINDOW, TWO_COUNTERS -> span -> 2 * LIMIT * (span / SECOND + 1);
                case SLIDING_PARTS -> span -> LIMIT * (span / (SECOND - SECOND / PARTS) + 1);
                case SLIDING_LOG -> span -> LIMIT * (span / SECOND + 1);
                case TOKEN_BUCKET, LEAKY_BUCKET, GCRA, LOCKED -> span -> BURST + LIMIT * span / SECOND;
            };
        }
    }

    private record AskedOf(Way way, Asked asked) {}

    @BeforeAll
    static void saturate() throws Exception {
        var asked = new ConcurrentLinkedQueue<AskedOf>();
        try (var redis = RedisServer.start();
                var one = RedisBench.on(redis.port()).awaitReached();
                var other = RedisBench.on(redis.port()).awaitReached();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long end = System.nanoTime() + RUN_NANOS;
            var running = new ArrayList<Future<?>>();
            for (int i = 0; i < THREADS_PER_STORE; i++) {
                running.add(threads.submit(() -> ask(one.store, asked, end)));
                running.add(threads.submit(() -> ask(other.store, asked, end)));
            }
            for (var thread : running) {
                thread.get();
            }
        }
        ASKED.putAll(asked.stream()
                .collect(Collectors.groupingBy(AskedOf::way, Collectors.mapping(AskedOf::asked, Collectors.toList()))));
    }

    @AfterAll
    static void forget() {
        ASKED.clear();
    }

    private static List<Asked> asked(Way way) {
        return ASKED.getOrDefault(way, List.of());
    }

    private static void ask(Store store, Queue<AskedOf> asked, long end) {
        var outstanding = new ArrayDeque<CompletableFuture<?>>();
        while (System.nanoTime() < end) {
            for (Way way : Way.values()) {
                long sent = micros();
                outstanding.add(store.decide(way.hit())
                        .thenAccept(
                                readings -> asked.add(new AskedOf(way, new Asked(sent, micros(), readings.getFirst()))))
                        .toCompletableFuture());
            }
            while (outstanding.size() > OUTSTANDING) {
                outstanding.remove().orTimeout(10, TimeUnit.SECONDS).join();
            }
        }
        outstanding.forEach(each -> each.orTimeout(10, TimeUnit.SECONDS).join());
    }

    private static long micros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * SECOND + now.getNano() / 1_000;
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void no_stretch_of_time_admits_more_than_the_algorithm_states(Way way) {
        List<Asked> admitted = Asked.byReceived(Asked.admitted(asked(way)));
        assertThat(admitted).as("there was load").hasSizeGreaterThan((int) (2 * BURST));
        for (Asked first : admitted) {
            long count = 0;
            for (Asked hit : admitted) {
                if (hit.sent() >= first.sent()) {
                    count++;
                    // All of these lie between the sending of the first and the answer to the last.
                    assertThat(count)
                            .as("%s, hits from %d to %d", way, first.sent(), hit.received())
                            .isLessThanOrEqualTo(way.most().applyAsLong(hit.received() - first.sent()));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"FIXED_WINDOW", "TWO_COUNTERS"})
    void no_second_of_the_clock_admits_more_than_the_limit(Way way) {
        List<Asked> admitted = Asked.admitted(asked(way));
        long placed = 0;
        for (long second : secondsOf(admitted)) {
            var sure = admitted.stream().filter(hit -> hit.isSurelyIn(second)).toList();
            assertThat(sure).as("%s, second %d", way, second).hasSizeLessThanOrEqualTo((int) LIMIT);
            placed += sure.size();
        }
        assertThat(placed).as("hits whose second is known").isPositive();
    }

    @Test
    void a_fixed_window_that_refused_has_admitted_its_limit() {
        List<Asked> all = asked(Way.FIXED_WINDOW);
        long windows = 0;
        for (long second : secondsOf(all)) {
            if (all.stream().anyMatch(hit -> !hit.isAdmitted() && hit.isSurelyIn(second))) {
                windows++;
                assertThat(all.stream().filter(hit -> hit.isAdmitted() && hit.mayBeIn(second)))
                        .as("second %d", second)
                        .hasSizeGreaterThanOrEqualTo((int) LIMIT);
            }
        }
        assertThat(windows).as("windows that refused").isGreaterThan(2);
    }

    private static long[] secondsOf(List<Asked> all) {
        return LongStream.rangeClosed(
                        all.stream().mapToLong(Asked::sent).min().orElseThrow() / SECOND,
                        all.stream().mapToLong(Asked::received).max().orElseThrow() / SECOND)
                .toArray();
    }

    /** What refuses one hit has the whole limit in view: in its window, and one part more where the oldest counts in part. */
    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"TWO_COUNTERS", "SLIDING_PARTS", "SLIDING_LOG"})
    void a_sliding_window_that_refuses_has_admitted_its_limit(Way way) {
        long view = way == Way.SLIDING_LOG ? SECOND : way == Way.TWO_COUNTERS ? 2 * SECOND : SECOND + SECOND / PARTS;
        List<Asked> all = Asked.bySent(asked(way));
        long stretches = 0;
        long end = Long.MIN_VALUE;
        for (Asked hit : all) {
            // Stretches that for sure do not overlap, from before the first hit on.
            if (!hit.isAdmitted() && hit.sent() - view >= end) {
                stretches++;
                end = hit.received();
            }
        }
        assertThat(stretches).as("stretches").isGreaterThan(1);
        assertThat(Asked.admitted(all)).hasSizeGreaterThanOrEqualTo((int) (LIMIT * stretches));
    }

    /** What is earned is lost only while a bucket is full, which takes a pause as long as the burst. */
    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"TOKEN_BUCKET", "LEAKY_BUCKET", "GCRA"})
    void a_bucket_admits_its_burst_and_all_that_is_earned(Way way) {
        List<Asked> all = Asked.bySent(asked(way));
        Asked first = all.getFirst();
        Asked last = all.reversed().stream()
                .filter(hit -> !hit.isAdmitted()) // what is earned after it may have found nobody to take it
                .findFirst()
                .orElseThrow();
        double earned = (last.sent() - first.received()) * (double) LIMIT / SECOND;
        double lost = lostAtMost(all, last.sent());
        assertThat((double) Asked.admitted(all).stream()
                        .filter(hit -> hit.sent() <= last.received())
                        .count())
                .isGreaterThanOrEqualTo(BURST + earned - lost - 1); // one may be earned in part
        assertThat(lost).as("lost of %.1f earned", earned).isLessThan(earned / 2);
    }

    /**
     * Returns what may have been earned until then while the bucket was full.
     *
     * <p>Who is refused shows that less than one was left when it was counted, so that the bucket is not full from its answer
     * on until so much is earned since its sending. Each moment that no refusal speaks for is counted as lost, and once.
     */
    private static double lostAtMost(List<Asked> all, long end) {
        long spokenFor = Asked.bySent(all).getFirst().received();
        long silent = 0;
        for (Asked hit : Asked.byReceived(all)) {
            long full = hit.sent() + (BURST - 1) * SECOND / LIMIT;
            if (!hit.isAdmitted() && hit.received() < full) {
                silent += Math.max(0, hit.received() - spokenFor);
                spokenFor = Math.max(spokenFor, full);
            }
        }
        return (silent + Math.max(0, end - spokenFor)) * (double) LIMIT / SECOND;
    }

    @Test
    void nothing_is_admitted_while_a_lock_holds() {
        List<Asked> all = asked(Way.LOCKED);
        List<Asked> admitted = Asked.admitted(all);
        // Who locks is told the whole length; who meets the lock is told the rest.
        List<Asked> locking = all.stream()
                .filter(hit -> !hit.isAdmitted() && hit.reading().retryMicros() == SECOND)
                .toList();
        for (Asked lock : locking) {
            assertThat(admitted)
                    .as("locked from %d", lock.received())
                    .noneMatch(hit -> hit.sent() >= lock.received() && hit.received() < lock.sent() + SECOND);
        }
        assertThat(Asked.byReceived(locking).getLast().sent()
                        - Asked.bySent(locking).getFirst().received())
                .as("it locked more than once")
                .isGreaterThan(2 * SECOND);
        assertThat(admitted).as("and let pass in between").hasSizeGreaterThanOrEqualTo((int) (3 * BURST));
    }
}
