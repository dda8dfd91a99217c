package dev.weir.store.redis;

import static dev.weir.store.redis.Hits.ask;
import static dev.weir.store.redis.Hits.check;
import static dev.weir.store.redis.Hits.failureOf;
import static dev.weir.store.redis.Hits.hit;
import static dev.weir.store.redis.Hits.onAdmit;
import static dev.weir.store.redis.Hits.readingOf;
import static dev.weir.store.redis.Hits.redisKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Queued;
import dev.weir.store.Reading;
import dev.weir.store.StoreContract;
import dev.weir.store.StoreException;
import dev.weir.store.layer.DeadlineStore;
import dev.weir.store.redis.plain.ServerClock;
import dev.weir.testing.Eventually;
import dev.weir.testing.MostlyWaits;
import dev.weir.testing.RedisServer;
import dev.weir.testing.RedisVersion;
import dev.weir.testing.RedisVersions;
import dev.weir.testing.RespConnection;
import dev.weir.testing.TcpProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What goes wrong between Weir and Redis, and what it costs. */
@MostlyWaits
final class RedisTroubleIT {
    private static final Duration SHORT = Duration.ofMillis(200);

    static List<RedisVersion> versions() {
        return RedisVersions.available();
    }

    @Test
    void a_call_whose_reply_is_lost_fails_in_time_and_counts_once() throws InterruptedException {
        try (var redis = RedisServer.start();
                var proxy = TcpProxy.to(redis.port());
                var bench = RedisBench.on(proxy.port(), SHORT).awaitReached()) {
            hit(bench, "warm");
            proxy.swallowReplyTo("counter-a");
            assertThat(failureOf(ask(bench, "counter-a"))).hasMessageContaining("did not answer within 200 ms");
            proxy.resume();
            Eventually.await("Redis answers again", () -> answers(bench, "counter-b"));
            // A resent call would have left 7.
            assertThat(hit(bench, "counter-a").remaining()).isEqualTo(8);
        }
    }

    @Test
    void whatever_is_thrown_while_an_answer_is_heard_it_is_handed_out_and_the_next_one_is_sent() {
        try (var redis = RedisServer.start();
                var bench = RedisBench.slow(redis.port()).awaitReached()) {
            for (int turn = 0; turn < 3; turn++) { // one more than there are
                var told = new CompletableFuture<Reading>();
                bench.store.submit(new Defective(newCounters(turn), new AtomicInteger(), told));
                assertThat(told).succeedsWithin(Eventually.DEADLINE);
            }
        }
    }

    /** So many that they take longer than what is never late. */
    private static Plan newCounters(int turn) {
        return Plan.of(IntStream.range(0, 20)
                .mapToObj(i -> onAdmit("turn " + turn + " counter " + i))
                .toList());
    }

    /** What throws when it is asked, after it was sent, whether anybody waits for it. */
    private record Defective(Plan plan, AtomicInteger asked, CompletableFuture<Reading> told) implements Queued {
        @Override
        public boolean isUrgent() {
            return false;
        }

        @Override
        public boolean isOver() {
            if (asked.getAndIncrement() > 0) {
                throw new AssertionError("a defect");
            }
            return false;
        }

        @Override
        public void answered(int position, Reading reading, long at) {
            told.complete(reading);
        }

        @Override
        public void failed(int position, StoreException failure) {
            told.completeExceptionally(failure);
        }

        @Override
        public void scattered() {
            told.completeExceptionally(new AssertionError("one place is enough"));
        }
    }

    @Test
    void a_plan_of_more_checks_than_a_batch_holds_is_decided() {
        try (var redis = RedisServer.start();
                var bench = RedisBench.on(redis.port()).awaitReached()) {
            var checks = IntStream.range(0, 300)
                    .mapToObj(i -> onAdmit("counter " + i))
                    .toList();
            for (long left : new long[] {9, 8}) {
                assertThat(ask(bench, Plan.of(checks))
                                .orTimeout(5, TimeUnit.SECONDS)
                                .join())
                        .hasSize(300)
                        .extracting(Reading::remaining)
                        .containsOnly(left);
            }
        }
    }

    @Test
    void a_redis_that_is_full_fails_the_check_and_keeps_nothing_without_an_expiry() {
        try (var redis = RedisServer.start(RedisVersions.available().getFirst(), "--maxmemory-policy", "noeviction");
                var bench = RedisBench.on(redis.port()).awaitReached()) {
            hit(bench, "before");
            redis.command("CONFIG", "SET", "maxmemory", "1");
            assertThat(failureOf(ask(bench, "after"))).hasMessageContaining("OOM");
            redis.command("CONFIG", "SET", "maxmemory", "0");
            assertThat(hit(bench, "after").remaining()).isEqualTo(9);
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void a_user_who_may_set_counters_and_not_add_to_them_is_told_of_before_hits_fail(RedisVersion version) {
        try (var redis = RedisServer.start(version);
                var bench = RedisBench.on(redis.port()).awaitReached()) {
            redis.command("ACL", "SETUSER", "default", "-incrby");
            Eventually.await("the loss is told", () -> !bench.store.isReachable());
            assertThat(bench.awaitHeard("lost: ")).startsWith("lost: Redis could not use a counter: ");
            redis.command("ACL", "SETUSER", "default", "+incrby");
            Eventually.await("the return is told", () -> bench.store.isReachable());
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void a_redis_that_forgot_the_script_is_given_it_again(RedisVersion version) {
        try (var redis = RedisServer.start(version);
                var bench = RedisBench.on(redis.port()).awaitReached()) {
            hit(bench, "a");
            redis.command("SCRIPT", "FLUSH");
            assertThat(hit(bench, "b").remaining()).isEqualTo(9);
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void a_single_node_with_cluster_rules_gets_one_call_for_each_tag(RedisVersion version) {
        try (var redis = RedisServer.startCluster(version);
                var bench = RedisBench.on(redis.port()).awaitReached()) {
            var checks = new ArrayList<Check>();
            for (int i = 0; i < 60; i++) {
                checks.add(onAdmit("user" + i % 30)); // which needs the script
            }
            for (long expected : new long[] {8, 6}) {
                List<Reading> readings = bench.store
                        .decide(Plan.of(checks))
                        .toCompletableFuture()
                        .orTimeout(5, TimeUnit.SECONDS)
                        .join();
                assertThat(readings.subList(30, 60))
                        .extracting(Reading::remaining)
                        .containsOnly(expected);
            }
            assertThat(bench.heard).filteredOn("grouping by tag"::equals).hasSize(1);
            Eventually.await("each batch that was sent has one end", () -> bench.batches.get() == ends(bench));
        }
    }

    @Test
    void a_reply_that_cannot_be_read_is_none() {
        try (var redis = RedisServer.start()) {
            String text = "return ''";
            var mute =
                    new Script(text, String.valueOf(redis.command("SCRIPT", "LOAD", text)), ServerClock.production());
            try (var bench = RedisBench.withScript(redis.port(), mute)) {
                Eventually.await("the reason is told", () -> !bench.heard.isEmpty());
                assertThat(bench.heard)
                        .containsExactly("lost: Redis answered 0 bytes, which is too little (redis://127.0.0.1:%d)"
                                .formatted(redis.port()));
                assertThat(bench.unanswered).hasPositiveValue();
                assertThat(bench.answered).hasValue(0);
            }
        }
    }

    @Test
    void a_redis_that_is_not_there_yet_is_waited_for() {
        try (var redis = RedisServer.start()) {
            redis.stop();
            try (var bench = RedisBench.on(redis.port(), SHORT)) {
                Eventually.await("the absence is told", () -> !bench.heard.isEmpty());
                assertThat(bench.heard.getFirst())
                        .startsWith("lost: Redis at redis://127.0.0.1:" + redis.port() + " cannot be reached");
                assertThat(failureOf(ask(bench, "a"))).hasMessageContaining("was not reached yet");
                assertThat(bench.store.firstReached().toCompletableFuture()).isNotDone();
                redis.restart();
                bench.awaitReached();
                assertThat(hit(bench, "a").remaining()).isEqualTo(9);
            }
        }
    }

    @Test
    void a_redis_that_goes_away_is_told_once_and_found_again() {
        try (var redis = RedisServer.start();
                var bench = RedisBench.on(redis.port(), SHORT).awaitReached()) {
            hit(bench, "a");
            redis.stop();
            Eventually.await("the loss is told", () -> !bench.store.isReachable());
            assertThat(failureOf(ask(bench, "a"))).isInstanceOf(StoreException.class);
            redis.restart();
            Eventually.await("Redis is found again", () -> bench.hasNews("reached"));
            assertThat(hit(bench, "b").remaining()).isEqualTo(9);
            assertThat(bench.news()).hasSize(2).first().asString().startsWith("lost: ");
        }
    }

    @Test
    void a_plan_that_nobody_waits_for_is_not_sent() throws InterruptedException {
        try (var redis = RedisServer.start();
                var proxy = TcpProxy.to(redis.port());
                var bench = RedisBench.on(proxy.port()).awaitReached()) {
            proxy.holdReplies();
            var first = ask(bench, "first");
            var second = ask(bench, "second");
            var abandoned = ask(bench, "abandoned");
            abandoned.cancel(false);
            proxy.resume();
            readingOf(first);
            readingOf(second);
            assertThat(hit(bench, "abandoned").remaining()).isEqualTo(9);
        }
    }

    @Test
    void a_silent_redis_is_sent_few_calls_and_counts_nothing_for_those_who_left() {
        try (var redis = RedisServer.start();
                var bench = RedisBench.on(redis.port(), SHORT).awaitReached();
                var patient = new DeadlineStore(bench.store, Duration.ofMillis(50))) {
            hit(bench, "a");
            redis.pause();
            int before = bench.batches.get();
            var asked = IntStream.range(0, 2_000)
                    .mapToObj(i ->
                            patient.decide(Plan.of(List.of(check("user" + i)))).toCompletableFuture())
                    .toList();
            assertThat(asked).allSatisfy(answer -> assertThat(failureOf(answer)).hasMessageContaining("within 50 ms"));
            // Two at a time, and perhaps two more when their time was over, or the pulse.
            assertThat(bench.batches.get() - before).isLessThanOrEqualTo(6);
            redis.resume();
            Eventually.await("Redis answers again", () -> answers(bench, "b"));
            assertThat((Long) redis.command("DBSIZE")).isLessThan(20);
        }
    }

    @Test
    void a_silent_redis_does_not_hold_up_the_end() {
        try (var redis = RedisServer.start();
                var bench = RedisBench.on(redis.port(), Duration.ofSeconds(20)).awaitReached()) {
            hit(bench, "a");
            redis.pause();
            var asked = bench.store.decide(Plan.of(List.of(check("a")))).toCompletableFuture();
            assertThat(CompletableFuture.runAsync(bench.store::close)).succeedsWithin(Duration.ofSeconds(6));
            assertThat(failureOf(asked)).isInstanceOf(StoreException.class);
            redis.resume();
        }
    }

    @Test
    void a_silent_redis_is_not_said_to_have_too_much_to_do() {
        try (var redis = RedisServer.start();
                var bench = RedisBench.on(redis.port(), SHORT).awaitReached();
                var patient = new DeadlineStore(bench.store, Duration.ofMillis(15))) {
            hit(bench, "a");
            redis.pause();
            int before = bench.unanswered.get();
            Eventually.await("calls in a row have no answer", () -> {
                var _ = failureOf(patient.decide(Plan.of(List.of(check("a")))).toCompletableFuture());
                return bench.unanswered.get() - before > 12;
            });
            redis.resume();
            Eventually.await("Redis answers again", () -> answers(bench, "a"));
            assertThat(bench.overruns).hasValue(0);
        }
    }

    /** Each request would make a connection, to be told so again, until this host has no port left to make one from. */
    @Test
    void who_is_shut_out_knocks_seldom_until_it_is_let_in() throws IOException {
        try (var redis = RedisServer.start();
                var bench = RedisBench.on(redis.port(), SHORT).awaitReached();
                var patient = new DeadlineStore(bench.store, Duration.ofMillis(50));
                var inside = new RespConnection(redis.host(), redis.port(), Duration.ofSeconds(10))) {
            hit(bench, "a");
            var _ = inside.ask("CONFIG", "SET", "requirepass", "s3cret");
            var _ = inside.ask("CLIENT", "KILL", "TYPE", "normal");
            Eventually.await(
                    "few requests are asked of it",
                    () -> String.valueOf(failureOf(decided(patient))).contains("only asked now and then"));
            var _ = inside.ask("CONFIG", "SET", "requirepass", "");
            Eventually.await(
                    "it is let in",
                    () -> decided(patient)
                            .handle((_, failure) -> failure == null)
                            .join());
        }
    }

    private static CompletableFuture<List<Reading>> decided(DeadlineStore store) {
        return store.decide(Plan.of(List.of(check("b")))).toCompletableFuture();
    }

    @Test
    void a_redis_that_only_reads_is_not_reached() {
        try (var redis = RedisServer.start()) {
            redis.command("REPLICAOF", "127.0.0.1", "1");
            try (var bench = RedisBench.on(redis.port())) {
                Eventually.await("the reason is told", () -> !bench.heard.isEmpty());
                assertThat(bench.heard.getFirst()).startsWith("lost: Redis could not use a counter: READONLY");
                redis.command("REPLICAOF", "NO", "ONE");
                bench.awaitReached();
            }
        }
    }

    @Test
    void a_counter_expires_a_second_after_its_window() {
        try (var redis = RedisServer.start();
                var bench = RedisBench.withTestClockAndExpiry(redis).awaitReached()) {
            RedisBench.setClock(redis, StoreContract.NOON_MICROS + 20_000_000);
            var check = Check.of(StoreContract.key("a"), StoreContract.TEN_A_MINUTE, 1);
            long begun = System.nanoTime();
            readingOf(bench.store.decide(Plan.of(List.of(check))).toCompletableFuture());
            Long left = (Long) redis.command("PTTL", redisKey("a"));
            // Redis counts down by its own clock, however long we are about it.
            long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            assertThat(left).isBetween(40_000L - passed, 41_000L);
        }
    }

    private static int ends(RedisBench bench) {
        return bench.answered.get() + bench.unanswered.get();
    }

    private static boolean answers(RedisBench bench, String counter) {
        return ask(bench, counter).handle((_, failure) -> failure == null).join();
    }
}
