package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.StoreContract;
import dev.weir.testing.Eventually;
import dev.weir.testing.MostlyWaits;
import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisVersion;
import dev.weir.testing.RedisVersions;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Real load, and slots that wander from node to node below it: no hit is counted twice or forgotten, and nothing is admitted
 * beyond the limit. Half of the counters are asked for more than their limit, the others can never reach it. A check that
 * fails may have counted or not, as always, and few do.
 */
@MostlyWaits
final class MovingSlotsIT {
    private static final int CALLERS = 32;
    private static final int COUNTERS = 64;
    private static final long SEED = 20_261_121;
    private static final int SMALL = 200;
    private static final int LARGE = 1_000_000;
    private static final HashTags TAGS = new HashTags("", RedisBench.TAGS);

    private final AtomicInteger plans = new AtomicInteger();
    private final AtomicIntegerArray admitted = new AtomicIntegerArray(COUNTERS);
    private final AtomicIntegerArray answered = new AtomicIntegerArray(COUNTERS);
    private final AtomicIntegerArray failed = new AtomicIntegerArray(COUNTERS);
    private final List<String> failures = new CopyOnWriteArrayList<>();

    private Charge charge = Charge.ALWAYS;

    static List<RedisVersion> versions() {
        return RedisVersions.here();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void counts_go_along_with_their_slots_and_the_limits_hold(RedisVersion version) throws Exception {
        moveSlotsUnderLoad(version);
    }

    @ParameterizedTest
    @MethodSource("versions")
    void requests_over_several_nodes_stay_all_or_nothing(RedisVersion version) throws Exception {
        charge = Charge.ON_ADMIT;
        moveSlotsUnderLoad(version);
    }

    private void moveSlotsUnderLoad(RedisVersion version) throws Exception {
        try (var cluster = RedisCluster.start(version);
                var bench = RedisBench.on(cluster).awaitReached()) {
            var isMoving = new AtomicBoolean(true);
            try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
                var asking = new ArrayList<Future<?>>();
                for (int i = 0; i < CALLERS; i++) {
                    var random = new SplittableRandom(SEED + i);
                    asking.add(callers.submit(() -> ask(bench, random, isMoving)));
                }
                try {
                    awaitMoreAnswers(5_000);
                    moveAll(cluster, 0, 1);
                    cluster.giveEmptySlots(0, 1);
                    moveAll(cluster, 1, 2);
                } finally {
                    isMoving.set(false);
                }
                for (var caller : asking) {
                    caller.get();
                }
            }
            check(bench);
        }
    }

    /** Moves every slot of a node that counters live in, one after the other, and rests with each half way. */
    private void moveAll(RedisCluster cluster, int from, int to) {
        IntStream.range(0, TAGS.count())
                .map(tag -> cluster.slotOf(TAGS.tag(tag)))
                .filter(slot -> cluster.ownerOf(slot) == from)
                .forEach(slot -> {
                    var move = cluster.beginMove(slot, to);
                    move.moveKeys(2);
                    awaitMoreAnswers(100);
                    move.moveKeys(Integer.MAX_VALUE);
                    awaitMoreAnswers(100);
                    move.finish();
                    awaitMoreAnswers(1_000);
                });
    }

    private void awaitMoreAnswers(int count) {
        int enough = plans.get() + count;
        Eventually.await("more plans are answered", () -> plans.get() >= enough);
    }

    private void ask(RedisBench bench, SplittableRandom random, AtomicBoolean isMoving) {
        while (isMoving.get()) {
            int first = random.nextInt(COUNTERS);
            int second = random.nextInt(COUNTERS);
            try {
                List<Reading> readings = bench.store
                        .decide(Plan.of(List.of(check(first, 1), check(second, 1))))
                        .toCompletableFuture()
                        .orTimeout(10, TimeUnit.SECONDS)
                        .join();
                boolean isRefused = readings.stream().anyMatch(reading -> !reading.isAdmitted());
                note(first, readings.get(0), isRefused);
                note(second, readings.get(1), isRefused);
                plans.incrementAndGet();
            } catch (CompletionException e) {
                failed.incrementAndGet(first);
                failed.incrementAndGet(second);
                failures.add(String.valueOf(e.getCause()));
            }
        }
    }

    private void note(int counter, Reading reading, boolean isPlanRefused) {
        answered.incrementAndGet(counter);
        boolean isCharged = switch (charge) {
            case ALWAYS -> reading.isAdmitted();
            case ON_ADMIT, DRAIN -> !isPlanRefused;
        };
        if (isCharged) {
            admitted.incrementAndGet(counter);
        }
    }

    private void check(RedisBench bench) {
        int all = 0;
        for (int i = 0; i < COUNTERS; i++) {
            all += answered.get(i);
            int limit = limit(i);
            long left = bench.store
                    .decide(Plan.of(List.of(check(i, 0))))
                    .toCompletableFuture()
                    .orTimeout(10, TimeUnit.SECONDS)
                    .join()
                    .getFirst()
                    .remaining();
            String what = "counter %d, seed %d, failures: %s".formatted(i, SEED, failures);
            assertThat(admitted.get(i)).as(what).isLessThanOrEqualTo(limit);
            if (limit == LARGE) {
                assertThat(LARGE - left).as(what).isBetween(counted(i), counted(i) + failed.get(i));
            } else {
                assertThat(answered.get(i)).as(what).isGreaterThan(limit);
                assertThat(admitted.get(i)).as(what).isGreaterThanOrEqualTo(limit - failed.get(i));
            }
        }
        assertThat(failures).as("of %d", all).hasSizeLessThan(all / 100);
    }

    /** What must have been counted at the least: all that was answered, or all that was admitted as a whole. */
    private long counted(int counter) {
        return switch (charge) {
            case ALWAYS -> answered.get(counter);
            case ON_ADMIT, DRAIN -> admitted.get(counter);
        };
    }

    private Check check(int counter, int hits) {
        var limit = new Limit(Quota.per(Unit.YEAR, limit(counter)), new Algorithm.FixedWindow(), charge, 0);
        return Check.of(StoreContract.key("counter" + counter), limit, hits);
    }

    private static int limit(int counter) {
        return counter % 2 == 0 ? SMALL : LARGE;
    }
}
