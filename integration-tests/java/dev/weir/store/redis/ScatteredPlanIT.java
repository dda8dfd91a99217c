package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Role;
import dev.weir.store.StoreContract;
import dev.weir.store.memory.ManualTicker;
import dev.weir.store.memory.MemoryStore;
import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisVersions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans whose counters live behind several hash tags of a cluster of three: a refusal behind one gives back what others charged. */
final class ScatteredPlanIT {
    private static final HashTags TAGS = new HashTags("", RedisBench.TAGS);
    private static final Quota TEN = Quota.per(Unit.HOUR, 10);
    private static RedisCluster cluster;
    private static RedisBench bench;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start(RedisVersions.here().getFirst());
        bench = RedisBench.withTestClock(cluster).awaitReached();
    }

    @BeforeEach
    void empty() {
        cluster.clear();
        RedisBench.setClock(cluster, StoreContract.NOON_MICROS + 1_000_000);
    }

    @AfterAll
    static void stop() {
        bench.close();
        cluster.close();
    }

    static Stream<Algorithm> algorithms() {
        return Stream.of(
                new Algorithm.FixedWindow(),
                new Algorithm.SlidingWindow(1),
                new Algorithm.SlidingWindow(60),
                new Algorithm.SlidingLog(),
                new Algorithm.TokenBucket(10),
                new Algorithm.LeakyBucket(10),
                new Algorithm.Gcra(10));
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void what_is_admitted_everywhere_is_charged_everywhere(Algorithm algorithm) {
        assertThat(remaining(check(0, algorithm, 4), check(1, algorithm, 3), check(2, algorithm, 2)))
                .containsExactly(6L, 7L, 8L);
        assertThat(looks(algorithm)).containsExactly(6L, 7L, 8L);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void a_refusal_in_a_later_place_gives_back_what_earlier_ones_charged(Algorithm algorithm) {
        decide(check(0, algorithm, 2));
        decide(check(2, algorithm, 9));
        var readings = decide(check(0, algorithm, 4), check(1, algorithm, 3), check(2, algorithm, 2));
        assertThat(readings).extracting(Reading::isAdmitted).containsExactly(true, true, false);
        assertThat(readings).extracting(Reading::remaining).containsExactly(8L, 10L, 0L);
        assertThat(looks(algorithm)).containsExactly(8L, 10L, 1L);
        assertThat(bench.chargesKept).hasValue(0);
    }

    /** What is in force then began later than now: the charge belongs to it all the same. */
    @ParameterizedTest
    @MethodSource("algorithms")
    void what_is_charged_after_the_clock_stepped_back_over_a_boundary_is_given_back(Algorithm algorithm) {
        decide(check(0, algorithm, 2));
        decide(check(2, algorithm, 9));
        RedisBench.setClock(cluster, StoreContract.NOON_MICROS - 1_000_000);
        assertThat(admitted(check(0, algorithm, 4), check(2, algorithm, 2))).containsExactly(true, false);
        assertThat(looks(algorithm)).containsExactly(8L, 10L, 1L);
        assertThat(bench.chargesKept).hasValue(0);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void a_refusal_in_an_early_place_leaves_later_ones_untouched_and_shown(Algorithm algorithm) {
        decide(check(0, algorithm, 10));
        decide(check(1, algorithm, 5));
        var readings = decide(check(0, algorithm, 1), check(1, algorithm, 3), check(2, algorithm, 11));
        assertThat(readings).extracting(Reading::isAdmitted).containsExactly(false, true, false);
        assertThat(readings).extracting(Reading::remaining).containsExactly(0L, 5L, 0L);
        assertThat(looks(algorithm)).containsExactly(0L, 5L, 10L);
    }

    @Test
    void what_is_charged_in_any_case_stays_and_can_refuse_the_rest() {
        var always = new Limit(TEN, new Algorithm.FixedWindow(), Charge.ALWAYS, 0);
        var gcra = new Algorithm.Gcra(10);
        decide(Check.of(key(0), always, 10));
        var readings = decide(Check.of(key(0), always, 1), check(1, gcra, 3), check(2, gcra, 3));
        assertThat(readings).extracting(Reading::isAdmitted).containsExactly(false, true, true);
        assertThat(readings).extracting(Reading::remaining).containsExactly(0L, 10L, 10L);
        assertThat(decide(Check.of(key(0), always, 0)).getFirst().isAdmitted()).isFalse();
    }

    @Test
    void what_is_charged_in_any_case_needs_no_step_and_is_charged_everywhere() {
        var always = new Limit(TEN, new Algorithm.FixedWindow(), Charge.ALWAYS, 0);
        Check[] checks = IntStream.range(0, 3)
                .mapToObj(tag -> Check.of(key(tag), always, 4 + tag).as(Role.ENFORCING, tag))
                .toArray(Check[]::new);
        assertThat(remaining(checks)).containsExactly(6L, 5L, 4L);
        assertThat(admitted(checks)).containsExactly(true, true, false);
        assertThat(admitted(checks)).containsExactly(false, false, false);
    }

    @Test
    void quotas_in_several_places_refuse_only_together() {
        var log = new Algorithm.SlidingLog();
        Check a = check(0, log, 6).as(Role.QUOTA, 0);
        Check b = check(1, log, 4).as(Role.QUOTA, 1);
        Check c = check(2, log, 3);
        assertThat(admitted(a, b, c)).containsExactly(true, true, true);
        assertThat(admitted(a, b, c)).containsExactly(false, true, true);
        assertThat(looks(log)).containsExactly(4L, 2L, 4L);
        assertThat(admitted(a, b, c)).containsExactly(false, false, true);
        assertThat(looks(log)).containsExactly(4L, 2L, 4L);
    }

    /** Hits stand in the first place until the second refuses them, and whoever is asked in between meets them. */
    @Test
    void nobody_is_locked_over_hits_that_are_given_back() {
        Check user = locking(0, 5);
        Check path = locking(1, 1);
        for (int round = 0; round < 20; round++) {
            empty();
            decide(path);
            List<CompletableFuture<List<Reading>>> asked = IntStream.range(0, 12)
                    .mapToObj(_ ->
                            bench.store.decide(Plan.of(List.of(user, path))).toCompletableFuture())
                    .toList();
            asked.forEach(answer -> answer.orTimeout(5, TimeUnit.SECONDS).join());
            assertThat(remaining(user)).as("round %d", round).containsExactly(4L);
        }
        assertThat(bench.chargesKept).hasValue(0);
    }

    private static Check locking(int tag, long hits) {
        var log = new Algorithm.SlidingLog();
        var limit = new Limit(Quota.per(Unit.HOUR, hits), log, Charge.ON_ADMIT, 3_600);
        return Check.of(key(tag, log), limit, 1).as(Role.ENFORCING, tag);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void what_comes_after_a_hit_on_its_counter_sees_what_that_has_taken(Algorithm algorithm) {
        Check hits = check(1, algorithm, 4);
        Check refund = Check.refund(hits.key(), hits.limit(), 4).as(Role.ENFORCING, 2);
        Check look = check(1, algorithm, 0).as(Role.ENFORCING, 3);
        assertThat(remaining(check(0, algorithm, 1), hits, look, refund)).containsExactly(9L, 6L, 6L, 10L);
        assertThat(looks(algorithm)).containsExactly(9L, 10L, 10L);
        decide(check(1, algorithm, 10));
        assertThat(admitted(check(0, algorithm, 1), hits, refund)).containsExactly(true, false, true);
        assertThat(looks(algorithm)).as("a refund stays, whatever is refused").containsExactly(9L, 4L, 10L);
    }

    /**
     * Nobody else asks in between, so that all is read that one store deciding in one step would read. Each counter has one limit, and
     * within a plan is charged in one way: docs/algorithms.md tells of others. Time goes on, for hits that came and went have moved
     * their counter's instant, and how far ahead of a clock that steps back it stands.
     */
    @ParameterizedTest
    @ValueSource(longs = {7, 8})
    void random_plans_over_all_places_read_what_one_place_would_read(long seed) {
        var random = new SplittableRandom(seed);
        List<Check> questions = questions(random);
        long now = StoreContract.NOON_MICROS;
        var ticker = new ManualTicker();
        try (var memory = new MemoryStore(ticker, 1_000, Long.MAX_VALUE)) {
            for (int step = 0; step < 400; step++) {
                now += random.nextLong(random.nextInt(20) == 0 ? 4_000_000_000_000L : 400_000_000);
                ticker.set(now);
                RedisBench.setClock(cluster, now);
                Plan plan = plan(random, questions);
                List<Reading> expected =
                        memory.decide(plan).toCompletableFuture().join();
                List<Reading> readings = decide(plan.checks().toArray(Check[]::new));
                var compared = assertThat(readings).as("seed %d, step %d at %d: %s", seed, step, now, plan);
                // How long hits stand in a bucket is told to a request that passes.
                (plan.isRefused(refusals(expected))
                                ? compared.usingRecursiveFieldByFieldElementComparatorIgnoringFields("delayMicros")
                                : compared)
                        .isEqualTo(expected);
            }
        }
        assertThat(bench.chargesKept).hasValue(0);
    }

    /** A limit for each of 63 counters. The number of a fixed window comes again after 1,023 of them: these are long. */
    private static List<Check> questions(SplittableRandom random) {
        var drawn = new RandomPlans(random, 1);
        return IntStream.range(0, 63)
                .mapToObj(i -> {
                    Limit limit = Stream.generate(() -> drawn.limit(1 + i % 7))
                            .filter(any -> i % 7 > 0 || any.quota().windowSeconds() >= 86_400)
                            .findFirst()
                            .orElseThrow();
                    return Check.of(key(i % 3, limit.algorithm(), "question" + i), limit, 0);
                })
                .toList();
    }

    private static Plan plan(SplittableRandom random, List<Check> questions) {
        var checks = new ArrayList<Check>();
        int descriptor = 0;
        Role role = oneOf(random, List.of(Role.values()));
        for (int i = 1 + random.nextInt(5); i >= 0; i--) {
            Check question = oneOf(random, questions);
            long hits = random.nextInt(8) == 0
                    ? Math.clamp(question.limit().capacity() + random.nextInt(3) - 1, 0, 1_000_000_000)
                    : random.nextLong(5);
            var limit = role == Role.SHADOW ? question.limit().withoutLock() : question.limit();
            Check check = random.nextInt(8) == 0
                    ? Check.refund(question.key(), limit, hits)
                    : Check.of(question.key(), limit, hits);
            for (int times = random.nextInt(4) == 0 ? 2 : 1; times > 0; times--) {
                if (checks.stream().allMatch(before -> goTogether(before, check))) {
                    checks.add(check.as(role, descriptor));
                }
            }
            if (random.nextInt(3) > 0) {
                descriptor++;
                role = oneOf(random, List.of(Role.values()));
            }
        }
        return Plan.of(checks);
    }

    /** A counter that locks is asked once: a lock that begins over hits that are given back goes with them. */
    private static boolean goTogether(Check one, Check other) {
        return !one.key().equals(other.key())
                || (one.isTentative() == other.isTentative()
                        && one.limit().blockSeconds() == 0
                        && other.limit().blockSeconds() == 0);
    }

    private static boolean[] refusals(List<Reading> readings) {
        var refused = new boolean[readings.size()];
        for (int i = 0; i < refused.length; i++) {
            refused[i] = !readings.get(i).isAdmitted();
        }
        return refused;
    }

    private static <T> T oneOf(SplittableRandom random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private static Check check(int tag, Algorithm algorithm, long hits) {
        return Check.of(key(tag, algorithm), new Limit(TEN, algorithm, Charge.ON_ADMIT, 0), hits)
                .as(Role.ENFORCING, tag);
    }

    private static List<Long> looks(Algorithm algorithm) {
        return IntStream.range(0, 3)
                .mapToObj(tag -> decide(check(tag, algorithm, 0)).getFirst().remaining())
                .toList();
    }

    private static List<Long> remaining(Check... checks) {
        return decide(checks).stream().map(Reading::remaining).toList();
    }

    private static List<Boolean> admitted(Check... checks) {
        return decide(checks).stream().map(Reading::isAdmitted).toList();
    }

    private static List<Reading> decide(Check... checks) {
        return bench.store
                .decide(Plan.of(Arrays.asList(checks)))
                .toCompletableFuture()
                .orTimeout(5, TimeUnit.SECONDS)
                .join();
    }

    private static CounterKey key(int tag) {
        return key(tag, new Algorithm.FixedWindow());
    }

    private static CounterKey key(int tag, Algorithm algorithm) {
        return key(tag, algorithm, "counter");
    }

    /** A counter behind a tag that is 5 tags from the next: with three nodes, on another node. */
    private static CounterKey key(int tag, Algorithm algorithm, String name) {
        for (int i = 0; ; i++) {
            var key = StoreContract.key(name + i + "/" + algorithm);
            if (TAGS.tagOf(key) == tag * 5 % RedisBench.TAGS) {
                return key;
            }
        }
    }
}
