package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.BOOLEAN;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.loop.EventLoops;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.testing.Eventually;
import dev.weir.testing.MostlyWaits;
import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisServer;
import dev.weir.testing.RedisVersions;
import dev.weir.testing.TcpProxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Limits whose window is a second are counted in a Redis of their own, also where a request has both kinds. */
@MostlyWaits
final class RedisPairIT {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Limit TEN_A_YEAR = on(Unit.YEAR, 10);

    /** Too many to run out, whatever second it is. */
    private static final Limit PLENTY_A_SECOND = on(Unit.SECOND, 1_000_000);

    private static final Limit NONE_A_SECOND = on(Unit.SECOND, 0);

    private final RedisServer first = RedisServer.start();
    private final RedisServer second = RedisServer.start();
    private final EventLoops loops = new EventLoops();
    private Ear heard;
    private RedisPair pair;

    @BeforeEach
    void start() {
        heard = new Ear();
        pair = RedisPair.start(RedisBench.options(first.port()), RedisBench.options(second.port()), loops, heard);
        pair.firstReached()
                .toCompletableFuture()
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    @AfterEach
    void end() {
        pair.close();
        loops.close();
        first.close();
        second.close();
    }

    @Test
    void each_counter_is_in_the_redis_of_its_window() {
        var readings = decide(check("a", TEN_A_YEAR), check("b", PLENTY_A_SECOND), check("c", TEN_A_YEAR));
        assertThat(readings).extracting(Reading::remaining).containsExactly(9L, 999_999L, 9L);
        assertThat(keys(first)).anyMatch(key -> key.endsWith("a")).anyMatch(key -> key.endsWith("c"));
        assertThat(keys(first)).noneMatch(key -> key.endsWith("b"));
        assertThat(keys(second)).noneMatch(key -> key.endsWith("a") || key.endsWith("c"));
        assertThat(decide(check("b", PLENTY_A_SECOND)).getFirst().isAdmitted()).isTrue();
        assertThat(decide(check("a", TEN_A_YEAR)).getFirst().remaining()).isEqualTo(8);
    }

    @Test
    void a_counter_is_forgotten_in_the_redis_of_its_window() {
        decide(check("a", TEN_A_YEAR), check("b", PLENTY_A_SECOND));
        assertThat(pair.forget(check("a", TEN_A_YEAR)).toCompletableFuture())
                .succeedsWithin(PATIENCE, BOOLEAN)
                .isTrue();
        assertThat(keys(first)).noneMatch(key -> key.endsWith("a"));
        Eventually.await("it is there, for Redis keeps it for a second after its own", () -> {
            decide(check("b", PLENTY_A_SECOND));
            return pair.forget(check("b", PLENTY_A_SECOND))
                    .toCompletableFuture()
                    .join();
        });
        assertThat(keys(second)).noneMatch(key -> key.endsWith("b"));
    }

    @Test
    void what_is_charged_only_on_admission_is_given_back_when_the_other_redis_refuses() {
        var readings = decide(check("a", TEN_A_YEAR), check("b", NONE_A_SECOND), check("c", TEN_A_YEAR));
        assertThat(readings).extracting(Reading::isAdmitted).containsExactly(true, false, true);
        assertThat(readings).extracting(Reading::remaining).containsExactly(10L, 0L, 10L);
        assertThat(decide(check("b", NONE_A_SECOND), check("a", TEN_A_YEAR))
                        .getLast()
                        .remaining())
                .isEqualTo(10);
        assertThat(decide(check("a", TEN_A_YEAR)).getFirst().remaining()).isEqualTo(9);
        assertThat(heard.chargesKept).hasValue(0);
    }

    static Stream<Algorithm> algorithms() {
        return Stream.of(
                new Algorithm.FixedWindow(),
                new Algorithm.SlidingWindow(1),
                new Algorithm.SlidingLog(),
                new Algorithm.Gcra(10),
                new Algorithm.TokenBucket(10),
                new Algorithm.LeakyBucket(10));
    }

    /** By the clocks of the two, which go on between the charge and its giving back. */
    @ParameterizedTest
    @MethodSource("algorithms")
    void requests_that_the_other_redis_refuses_leave_the_limit_whole(Algorithm algorithm) {
        var limit = new Limit(Quota.per(Unit.YEAR, 10), algorithm, Charge.ON_ADMIT, 0);
        for (int i = 0; i < 20; i++) {
            assertThat(decide(check("a", limit), check("b", NONE_A_SECOND)))
                    .extracting(Reading::isAdmitted)
                    .containsExactly(true, false);
        }
        Eventually.await(
                "ten are left, once what was earned meanwhile is earned again",
                () -> pair.decide(Plan.of(List.of(check("a", limit, 0))))
                                .toCompletableFuture()
                                .join()
                                .getFirst()
                                .remaining()
                        == 10);
        assertThat(heard.chargesKept).hasValue(0);
    }

    @Test
    void what_is_in_one_of_the_two_is_decided_in_one_step() {
        Check[] checks = IntStream.range(0, 9)
                .mapToObj(i -> i == 8 ? check("b", PLENTY_A_SECOND) : check("a" + i, TEN_A_YEAR))
                .toArray(Check[]::new);
        long before = scriptCalls(first);
        assertThat(decide(checks)).extracting(Reading::remaining).containsOnly(9L, 999_999L);
        assertThat(scriptCalls(first) - before).isEqualTo(1);
    }

    @Test
    void where_that_cannot_be_it_goes_hash_tag_after_hash_tag_from_the_first_request_on() {
        var own = new Ear();
        try (var ruled = RedisServer.startCluster(RedisVersions.here().getFirst());
                var ofIt = RedisPair.start(
                        RedisBench.options(ruled.port()), RedisBench.options(second.port()), loops, own)) {
            ofIt.firstReached()
                    .toCompletableFuture()
                    .orTimeout(30, TimeUnit.SECONDS)
                    .join();
            var year = IntStream.range(0, 8).mapToObj(i -> check("a" + i, TEN_A_YEAR));
            var checks =
                    Stream.concat(year, Stream.of(check("b", NONE_A_SECOND))).toArray(Check[]::new);
            for (long i = 0; i < 3; i++) {
                assertThat(decide(ofIt, checks)).extracting(Reading::remaining).containsOnly(10L - i, 0L);
                assertThat(decide(ofIt, Arrays.copyOf(checks, 8)))
                        .extracting(Reading::remaining)
                        .containsOnly(9L - i);
            }
            assertThat(own.chargesKept).hasValue(0);
        }
    }

    private static long scriptCalls(RedisServer redis) {
        Matcher calls = Pattern.compile("cmdstat_evalsha:calls=(\\d+)")
                .matcher(String.valueOf(redis.command("INFO", "commandstats")));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    @Test
    void what_is_charged_in_any_case_stays_charged() {
        var always = new Limit(Quota.per(Unit.YEAR, 10), new Algorithm.FixedWindow(), Charge.ALWAYS, 0);
        assertThat(decide(check("a", always), check("b", NONE_A_SECOND))
                        .getFirst()
                        .remaining())
                .isEqualTo(9);
        assertThat(decide(check("a", always)).getFirst().remaining()).isEqualTo(8);
    }

    @Test
    void one_that_is_lost_is_named_and_takes_only_its_own_requests_along() {
        heard.finds.clear();
        second.stop();
        Eventually.await("the loss is told", () -> heard.said("the Redis of limits per second: "));
        assertThat(pair.isReachable()).isFalse();
        assertThat(decide(check("a", TEN_A_YEAR)).getFirst().remaining()).isEqualTo(9);
        assertThat(pair.decide(Plan.of(List.of(check("a", TEN_A_YEAR), check("b", PLENTY_A_SECOND))))
                        .toCompletableFuture())
                .failsWithin(PATIENCE);
        second.restart();
        Eventually.await("both are there", pair::isReachable);
        assertThat(decide(check("b", PLENTY_A_SECOND)).getFirst().isAdmitted()).isTrue();
        first.stop();
        Eventually.await("the loss of the other is told", () -> heard.said("the Redis of all other limits: "));
        first.restart();
        Eventually.await("both are there again", pair::isReachable);
        var both = Set.of("the Redis of limits per second", "the Redis of all other limits");
        Eventually.await("both are told", () -> Set.copyOf(heard.finds).equals(both));
    }

    @Test
    void a_master_of_either_that_steps_down_behind_its_address_is_left_for_the_new_one() {
        try (var after = RedisServer.start();
                var proxy = TcpProxy.to(second.port());
                var moving = RedisPair.start(
                        RedisBench.options(first.port()), RedisBench.options(proxy.port()), loops, heard)) {
            moving.firstReached()
                    .toCompletableFuture()
                    .orTimeout(30, TimeUnit.SECONDS)
                    .join();
            proxy.leadTo(after.port());
            second.command("REPLICAOF", "127.0.0.1", Integer.toString(after.port()));
            Eventually.await("the loss is told", () -> !moving.isReachable());
            Eventually.await("the new one is found", moving::isReachable);
            var plan = Plan.of(List.of(check("a", TEN_A_YEAR), check("b", PLENTY_A_SECOND)));
            assertThat(moving.decide(plan).toCompletableFuture()).succeedsWithin(PATIENCE);
        }
    }

    @Test
    void the_second_may_be_a_cluster() {
        try (var cluster = RedisCluster.start();
                var mixed = RedisPair.start(
                        RedisBench.options(first.port()),
                        RedisBench.options(RedisBench.topology(cluster), 2, PATIENCE),
                        loops,
                        heard)) {
            mixed.firstReached()
                    .toCompletableFuture()
                    .orTimeout(30, TimeUnit.SECONDS)
                    .join();
            var checks = List.of(
                    check("a", TEN_A_YEAR),
                    check("b", PLENTY_A_SECOND),
                    check("c", PLENTY_A_SECOND),
                    check("d", NONE_A_SECOND));
            var readings = mixed.decide(Plan.of(checks))
                    .toCompletableFuture()
                    .orTimeout(5, TimeUnit.SECONDS)
                    .join();
            assertThat(readings).extracting(Reading::isAdmitted).containsExactly(true, true, true, false);
            assertThat(readings.getFirst().remaining()).isEqualTo(10);
        }
    }

    /** The fastest answer of late, and half of that for the turn, where two batches are under way at a time. */
    @Test
    void how_long_the_trip_takes_by_itself_is_told_with_each_answer() {
        for (int i = 0; i < 20; i++) {
            decide(check("a", TEN_A_YEAR));
        }
        assertThat(heard.answers)
                .allMatch(answer -> answer.trip <= answer.nanos + answer.nanos / 2)
                .anyMatch(answer -> answer.trip == answer.nanos + answer.nanos / 2)
                .anyMatch(answer -> answer.trip < answer.nanos);
    }

    private List<Reading> decide(Check... checks) {
        return decide(pair, checks);
    }

    private static List<Reading> decide(RedisPair pair, Check... checks) {
        return pair.decide(Plan.of(List.of(checks)))
                .toCompletableFuture()
                .orTimeout(5, TimeUnit.SECONDS)
                .join();
    }

    private static Limit on(Unit unit, long hits) {
        return new Limit(Quota.per(unit, hits), new Algorithm.FixedWindow(), Charge.ON_ADMIT, 0);
    }

    private static Check check(String name, Limit limit) {
        return check(name, limit, 1);
    }

    private static Check check(String name, Limit limit, long hits) {
        byte[] key = name.getBytes(StandardCharsets.US_ASCII);
        return Check.of(new CounterKey(key, key.length), limit, hits);
    }

    private static List<String> keys(RedisServer redis) {
        if (redis.command("KEYS", "*") instanceof List<?> keys) {
            return keys.stream().map(String::valueOf).toList();
        }
        throw new AssertionError("Redis lists no keys");
    }

    /** Keeps what is told. */
    private static final class Ear extends DeafListener {
        private record Answer(long nanos, long trip) {}

        final List<Answer> answers = new CopyOnWriteArrayList<>();
        final AtomicInteger chargesKept = new AtomicInteger();
        private final List<String> losses = new CopyOnWriteArrayList<>();
        private final List<String> finds = new CopyOnWriteArrayList<>();

        @Override
        public void answered(long nanos, long tripNanos) {
            answers.add(new Answer(nanos, tripNanos));
        }

        boolean said(String beginning) {
            return losses.stream().anyMatch(loss -> loss.startsWith(beginning));
        }

        @Override
        public void chargeKept() {
            chargesKept.incrementAndGet();
        }

        @Override
        public void reached(String redis) {
            finds.add(redis);
        }

        @Override
        public void lost(String reason) {
            losses.add(reason);
        }
    }
}
