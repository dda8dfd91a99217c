package dev.weir.store.redis;

import static dev.weir.store.redis.Hits.ask;
import static dev.weir.store.redis.Hits.check;
import static dev.weir.store.redis.Hits.counterOnEachNode;
import static dev.weir.store.redis.Hits.failureOf;
import static dev.weir.store.redis.Hits.hit;
import static dev.weir.store.redis.Hits.readingsOf;
import static dev.weir.store.redis.Hits.redisKey;
import static dev.weir.store.redis.Hits.slotOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.BOOLEAN;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.StoreContract;
import dev.weir.store.StoreException;
import dev.weir.store.layer.DeadlineStore;
import dev.weir.testing.Eventually;
import dev.weir.testing.MostlyWaits;
import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisVersion;
import dev.weir.testing.RedisVersions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of counters while their slot moves from one node of a cluster to another. */
@MostlyWaits
final class SlotMoveIT {
    /** Much for a call that is answered; one that nodes send to each other is given up after four times as long. */
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private static final HashTags TAGS = new HashTags("", RedisBench.TAGS);

    static List<RedisVersion> versions() {
        return RedisVersions.here();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void a_slot_that_has_moved_a_moment_ago_is_found_with_its_counts(RedisVersion version) {
        try (var cluster = RedisCluster.start(version);
                var bench = RedisBench.on(cluster).awaitReached()) {
            hit(bench, "a");
            int slot = slotOf("a");
            cluster.moveSlot(slot, (cluster.ownerOf(slot) + 1) % 3);
            assertThat(hit(bench, "a").remaining()).isEqualTo(8);
            cluster.moveSlot(slot, (cluster.ownerOf(slot) + 1) % 3);
            assertThat(hit(bench, "a").remaining()).isEqualTo(7);
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void a_node_that_keeps_a_moving_slots_new_counters_is_given_the_script(RedisVersion version) {
        try (var cluster = RedisCluster.start(version);
                var bench = RedisBench.on(cluster).awaitReached()) {
            hit(bench, "a");
            int slot = slotOf("a");
            int to = (cluster.ownerOf(slot) + 1) % 3;
            var move = cluster.beginMove(slot, to);
            cluster.node(to).command("SCRIPT", "FLUSH");
            String born = sibling("a", 0);
            assertThat(hit(bench, born).remaining()).isEqualTo(9);
            assertThat(hit(bench, "a").remaining()).isEqualTo(8);
            move.moveKeys(Integer.MAX_VALUE);
            assertThat(hit(bench, "a").remaining()).isEqualTo(7);
            move.finish();
            assertThat(hit(bench, "a").remaining()).isEqualTo(6);
            assertThat(hit(bench, born).remaining()).isEqualTo(8);
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void counters_that_are_on_two_nodes_are_asked_one_by_one_until_they_have_met_again(RedisVersion version) {
        try (var cluster = RedisCluster.start(version);
                var bench = RedisBench.on(cluster).awaitReached()) {
            var one = check("a");
            var other = check(sibling("a", 0));
            assertThat(readingsOf(ask(bench, one, other)))
                    .extracting(Reading::remaining)
                    .containsExactly(9L, 9L);
            int slot = slotOf("a");
            var move = cluster.beginMove(slot, (cluster.ownerOf(slot) + 1) % 3);
            move.moveKeys(List.of(redisKey("a")));
            assertThat(readingsOf(ask(bench, one, other)))
                    .extracting(Reading::remaining)
                    .containsExactly(8L, 8L);
            move.moveKeys(Integer.MAX_VALUE);
            assertThat(readingsOf(ask(bench, one, other)))
                    .extracting(Reading::remaining)
                    .containsExactly(7L, 7L);
            move.finish();
            assertThat(readingsOf(ask(bench, one, other)))
                    .extracting(Reading::remaining)
                    .containsExactly(6L, 6L);
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void a_counter_is_forgotten_wherever_it_is_while_its_slot_moves(RedisVersion version) {
        try (var cluster = RedisCluster.start(version);
                var bench = RedisBench.on(cluster).awaitReached()) {
            var counters = List.of("a", sibling("a", 0), sibling("a", 1));
            counters.forEach(counter -> hit(bench, counter));
            int slot = slotOf("a");
            var move = cluster.beginMove(slot, (cluster.ownerOf(slot) + 1) % 3);
            assertForgotten(bench, counters.get(0));
            move.moveKeys(List.of(redisKey(counters.get(1))));
            assertForgotten(bench, counters.get(1));
            move.moveKeys(Integer.MAX_VALUE);
            assertForgotten(bench, counters.get(2));
            move.finish();
            counters.forEach(
                    counter -> assertThat(hit(bench, counter).remaining()).isEqualTo(9));
        }
    }

    private static void assertForgotten(RedisBench bench, String counter) {
        assertThat(bench.store.forget(check(counter)).toCompletableFuture())
                .succeedsWithin(Eventually.DEADLINE, BOOLEAN)
                .isTrue();
    }

    private static long commands(RedisCluster cluster, int node) {
        String said = String.valueOf(cluster.node(node).command("INFO", "stats"));
        String name = "total_commands_processed:";
        return said.lines()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.substring(name.length()).strip()))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void a_request_that_must_be_decided_in_one_step_is_told_when_its_counters_are_on_two_nodes(RedisVersion version) {
        try (var cluster = RedisCluster.start(version);
                var bench = RedisBench.on(cluster).awaitReached()) {
            var limit = Limit.of(Quota.per(Unit.YEAR, 10), new Algorithm.SlidingWindow(1));
            var one = Check.of(StoreContract.key("a"), limit, 1);
            var other = Check.of(StoreContract.key(sibling("a", 0)), limit, 1);
            assertThat(readingsOf(ask(bench, one, other)))
                    .extracting(Reading::remaining)
                    .containsExactly(9L, 9L);
            int slot = slotOf("a");
            var move = cluster.beginMove(slot, (cluster.ownerOf(slot) + 1) % 3);
            move.moveKeys(List.of(redisKey("a")));
            assertThat(failureOf(ask(bench, one, other)))
                    .isInstanceOf(StoreException.class)
                    .hasMessage("a slot of the Redis cluster is moving, and the counters of a call are on two nodes");
            move.moveKeys(Integer.MAX_VALUE);
            move.finish();
            assertThat(readingsOf(ask(bench, one, other)))
                    .extracting(Reading::remaining)
                    .containsExactly(8L, 8L);
        }
    }

    @Test
    void a_move_that_only_the_old_node_knows_of_fails_its_new_counters_and_nothing_else() {
        try (var cluster = RedisCluster.start();
                var bench = RedisBench.on(cluster, TIMEOUT).awaitReached()) {
            hit(bench, "a");
            int slot = slotOf("a");
            int from = cluster.ownerOf(slot);
            int to = (from + 1) % 3;
            cluster.beginMove(slot, to);
            cluster.node(to).command("CLUSTER", "SETSLOT", Integer.toString(slot), "STABLE");
            String born = sibling("a", 0);
            assertThat(failureOf(ask(bench, check(born))))
                    .hasMessage("two nodes of the Redis cluster send a call to each other: a slot's move is half done");
            assertThat(bench.store.forget(check(born)).toCompletableFuture())
                    .failsWithin(Eventually.DEADLINE)
                    .withThrowableThat()
                    .withMessageContaining("send a call to each other");
            long sent = commands(cluster, from);
            assertThat(hit(bench, "a").remaining()).isEqualTo(8);
            assertThat(commands(cluster, from) - sent)
                    .as("nothing goes to and fro any more")
                    .isLessThan(50);
            cluster.node(from).command("CLUSTER", "SETSLOT", Integer.toString(slot), "STABLE");
            assertThat(hit(bench, born).remaining()).isEqualTo(9);
        }
    }

    @Test
    void a_slot_whose_move_is_half_done_takes_no_room_from_the_others() {
        try (var cluster = RedisCluster.start();
                var bench = RedisBench.on(cluster, TIMEOUT).awaitReached();
                var bounded = new DeadlineStore(bench.store, Duration.ofMillis(15))) {
            hit(bench, "a");
            int slot = slotOf("a");
            int to = (cluster.ownerOf(slot) + 1) % 3;
            cluster.beginMove(slot, to);
            cluster.node(to).command("CLUSTER", "SETSLOT", Integer.toString(slot), "STABLE");
            String elsewhere = "user" + counterOnEachNode(cluster)[(to + 1) % 3];
            int tag = TAGS.tagOf(StoreContract.key("a"));
            var born = IntStream.range(0, 30_000 * RedisBench.TAGS)
                    .mapToObj(i -> check("born" + i))
                    .filter(check -> TAGS.tagOf(check.key()) == tag)
                    .iterator();
            while (born.hasNext()) { // more than have room
                var some = new ArrayList<CompletableFuture<List<Reading>>>();
                for (int i = 0; i < 1_000 && born.hasNext(); i++) {
                    some.add(bounded.decide(Plan.of(List.of(born.next()))).toCompletableFuture());
                }
                assertThat(some)
                        .allSatisfy(asked -> assertThat(failureOf(asked)).isInstanceOf(StoreException.class));
            }
            hit(bench, elsewhere);
        }
    }

    /** Redis refuses each call that names a key that is not there, and a lock is there only while it holds. */
    @ParameterizedTest
    @MethodSource("versions")
    void a_counter_that_can_be_locked_is_asked_again_when_its_slot_has_moved(RedisVersion version) {
        try (var cluster = RedisCluster.start(version);
                var bench = RedisBench.on(cluster).awaitReached()) {
            var limit = new Limit(Quota.per(Unit.YEAR, 10), new Algorithm.FixedWindow(), Charge.ALWAYS, 60);
            var lockable = Check.of(StoreContract.key("a"), limit, 1);
            assertThat(readingsOf(ask(bench, lockable)).getFirst().remaining()).isEqualTo(9);
            int slot = slotOf("a");
            var move = cluster.beginMove(slot, (cluster.ownerOf(slot) + 1) % 3);
            for (int keys : List.of(0, Integer.MAX_VALUE)) {
                move.moveKeys(keys);
                assertThat(failureOf(ask(bench, lockable)))
                        .as("%d keys were moved at most", keys)
                        .hasMessage(
                                "a slot of the Redis cluster is moving, and the counters of a call are on two nodes");
            }
            move.finish();
            assertThat(readingsOf(ask(bench, lockable)).getFirst().remaining()).isEqualTo(8);
        }
    }

    /** Returns the name of another counter in the same slot. */
    private static String sibling(String counter, int number) {
        int tag = TAGS.tagOf(StoreContract.key(counter));
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> counter + i)
                .filter(name -> TAGS.tagOf(StoreContract.key(name)) == tag)
                .skip(number)
                .findFirst()
                .orElseThrow();
    }
}
