package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Role;
import dev.weir.store.StoreContract;
import dev.weir.testing.Eventually;
import dev.weir.testing.MostlyWaits;
import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisServer;
import dev.weir.testing.RedisVersions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Every thread has connections to Redis of its own. */
@MostlyWaits
final class RedisLinesIT {
    /** Too many to be right by chance, were the connections shared. */
    private static final int ROUNDS = 16;

    private static final Limit THOUSAND_A_YEAR = Limit.fixedWindow(Quota.per(Unit.YEAR, 1_000));

    @Test
    void what_a_thread_asks_it_is_answered_itself_and_all_count_together() {
        try (var redis = RedisServer.start();
                var bench = RedisBench.on(redis.port()).awaitReached()) {
            for (int i = 0; i < bench.loops.count(); i++) {
                int thread = i;
                Eventually.await("thread " + thread + " has a line", () -> answeredOn(bench, thread, 0) == thread);
            }
            int asked = ROUNDS * bench.loops.count();
            for (int i = 0; i < asked; i++) {
                int thread = i % bench.loops.count();
                assertThat(answeredOn(bench, thread, 1)).isEqualTo(thread);
            }
            assertThat(ask(bench, 0)
                            .orTimeout(5, TimeUnit.SECONDS)
                            .join()
                            .getFirst()
                            .remaining())
                    .isEqualTo(1_000 - asked);
        }
    }

    /** Asks on a thread of the loops, and returns the one that brought the answer. */
    private static int answeredOn(RedisBench bench, int thread, long hits) {
        return answeredOn(bench, thread, plan(hits));
    }

    private static int answeredOn(RedisBench bench, int thread, Plan plan) {
        var answered = new CompletableFuture<Integer>();
        bench.loops.loop(thread).execute(() -> {
            var _ = bench.store.decide(plan).whenComplete((_, failure) -> {
                if (failure == null) {
                    answered.complete(bench.loops.current());
                } else {
                    answered.completeExceptionally(failure);
                }
            });
        });
        return answered.orTimeout(5, TimeUnit.SECONDS).join();
    }

    private static CompletableFuture<List<Reading>> ask(RedisBench bench, long hits) {
        return bench.store.decide(plan(hits)).toCompletableFuture();
    }

    private static Plan plan(long hits) {
        return Plan.of(List.of(Check.of(StoreContract.key("a"), THOUSAND_A_YEAR, hits)));
    }

    @Test
    void whoever_is_no_thread_of_the_loops_is_answered_too() {
        try (var redis = RedisServer.start();
                var bench = RedisBench.on(redis.port()).awaitReached()) {
            assertThat(bench.loops.current()).isEqualTo(-1);
            assertThat(ask(bench, 1).orTimeout(5, TimeUnit.SECONDS).join()).hasSize(1);
        }
    }

    @Test
    @EnabledIf("dev.weir.store.redis.RedisLinesIT#areSeveral")
    void a_thread_that_gets_no_answers_while_another_does_is_told_and_so_is_its_return() {
        var isHeldUp = new CountDownLatch(1);
        try (var redis = RedisServer.start();
                var bench = RedisBench.on(redis.port()).awaitReached()) {
            int last = bench.loops.count() - 1;
            Eventually.await("the last thread has a line", () -> answeredOn(bench, last, 0) == last);
            bench.loops.loop(last).execute(() -> awaitUnlessEnded(isHeldUp));
            String told = "lost: Redis does not answer 1 of " + bench.loops.count() + " threads";
            Eventually.await("it is told", () -> bench.hasNews(told));
            assertThat(bench.store.isReachable()).isTrue();
            isHeldUp.countDown();
            Eventually.await("its return is told", () -> bench.hasNews("reached"));
            assertThat(bench.news()).hasSize(2);
        } finally {
            isHeldUp.countDown();
        }
    }

    static boolean areSeveral() {
        return Runtime.getRuntime().availableProcessors() > 1;
    }

    private static void awaitUnlessEnded(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Calls of the pulse come in between, one for each of these, but only once a second. */
    @Test
    void counters_of_one_node_of_a_cluster_go_together_whatever_their_hash_tags() {
        var tags = new HashTags("", RedisBench.TAGS);
        var checks = IntStream.range(0, tags.count())
                .mapToObj(tag -> Check.of(keyIn(tags, tag), THOUSAND_A_YEAR, 1).as(Role.ENFORCING, tag))
                .toList();
        try (var cluster = RedisCluster.start(RedisVersions.here().getFirst());
                var bench = RedisBench.on(cluster).awaitReached()) {
            Eventually.await("all go in a call or two for each of three nodes", () -> {
                int before = bench.batches.get();
                var answered = new CompletableFuture<List<Reading>>();
                bench.loops.loop(0).execute(() -> {
                    var _ = bench.store.decide(Plan.of(checks)).thenAccept(answered::complete);
                });
                assertThat(answered.orTimeout(5, TimeUnit.SECONDS).join())
                        .hasSize(tags.count())
                        .allMatch(Reading::isAdmitted);
                return bench.batches.get() - before <= 6;
            });
        }
    }

    /** They need the node's clock, which a line hears with an answer to any of the node's hash tags. */
    @Test
    void counters_of_a_node_go_together_though_nobody_asks_for_its_first_hash_tag() {
        var tags = new HashTags("", RedisBench.TAGS);
        try (var cluster = RedisCluster.start(RedisVersions.here().getFirst());
                var bench = RedisBench.on(cluster).awaitReached()) {
            int node = cluster.ownerOf(slotOf(tags, 0));
            var checks = IntStream.range(1, tags.count())
                    .filter(tag -> cluster.ownerOf(slotOf(tags, tag)) == node)
                    .mapToObj(tag ->
                            Check.of(keyIn(tags, tag), THOUSAND_A_YEAR, 1).as(Role.ENFORCING, tag))
                    .toList();
            int last = bench.loops.count() - 1; // the pulse asks for the first hash tag on the first one
            Eventually.await("the last thread has a line", () -> answeredOn(bench, last, 0) == last);
            Eventually.await("all go in one call", () -> {
                int before = bench.batches.get();
                return answeredOn(bench, last, Plan.of(checks)) == last && bench.batches.get() - before == 1;
            });
        }
    }

    private static CounterKey keyIn(HashTags tags, int tag) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> StoreContract.key("a" + i))
                .filter(key -> tags.tagOf(key) == tag)
                .findFirst()
                .orElseThrow();
    }

    private static int slotOf(HashTags tags, int tag) {
        String text = tags.tag(tag);
        return HashTags.crc16(text.substring(1, text.length() - 1).getBytes(StandardCharsets.US_ASCII)) % 16_384;
    }
}
