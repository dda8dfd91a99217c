package dev.weir.store.redis;

import static dev.weir.store.redis.Hits.ask;
import static dev.weir.store.redis.Hits.check;
import static dev.weir.store.redis.Hits.counterOnEachNode;
import static dev.weir.store.redis.Hits.failureOf;
import static dev.weir.store.redis.Hits.hit;
import static dev.weir.store.redis.Hits.readingsOf;
import static dev.weir.store.redis.Hits.slotOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import dev.weir.loop.EventLoops;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.StoreException;
import dev.weir.testing.Eventually;
import dev.weir.testing.MostlyWaits;
import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisServer;
import dev.weir.testing.RedisVersion;
import dev.weir.testing.RedisVersions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a cluster of several nodes does that a single one does not, and what it costs. */
@MostlyWaits
final class RedisClusterTroubleIT {
    private static final Duration TWO_MINUTES = Duration.ofMinutes(2);
    private static final Duration SHORT = Duration.ofMillis(250);
    private static final HashTags TAGS = new HashTags("", RedisBench.TAGS);

    static List<RedisVersion> versions() {
        return RedisVersions.here();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void counters_live_on_all_nodes_and_one_plan_reaches_them_in_order(RedisVersion version) {
        try (var cluster = RedisCluster.start(version);
                var bench = RedisBench.on(cluster).awaitReached()) {
            var checks = new ArrayList<Check>();
            for (int i = 0; i < 120; i++) {
                checks.add(check("user" + i % 60));
            }
            for (long expected : new long[] {8, 6}) {
                List<Reading> readings = bench.store
                        .decide(Plan.of(checks))
                        .toCompletableFuture()
                        .orTimeout(5, TimeUnit.SECONDS)
                        .join();
                assertThat(readings.subList(0, 60))
                        .extracting(Reading::remaining)
                        .containsOnly(expected + 1);
                assertThat(readings.subList(60, 120))
                        .extracting(Reading::remaining)
                        .containsOnly(expected);
            }
            for (int i = 0; i < 3; i++) {
                assertThat(cluster.node(i).command("KEYS", "*user*"))
                        .asInstanceOf(LIST)
                        .hasSizeGreaterThan(5);
            }
        }
    }

    @Test
    void a_cluster_whose_nodes_all_have_new_addresses_is_found_where_the_operator_said() {
        try (var before = RedisCluster.start();
                var after = RedisCluster.start()) {
            var named = Stream.concat(before.addresses(), after.addresses())
                    .map(address -> "redis://" + address)
                    .toList();
            try (var bench = RedisBench.on(new RedisOptions.Topology.Cluster(named), SHORT)
                    .awaitReached()) {
                hit(bench, "a");
                for (int node = 0; node < 3; node++) {
                    before.node(node).stop();
                }
                var _ = bench.awaitHeard("lost: ");
                var _ = bench.awaitHeard("reached", TWO_MINUTES);
                assertThat(hit(bench, "a").remaining())
                        .as("it knows nothing of the other's hits")
                        .isEqualTo(9);
            }
        }
    }

    @Test
    void the_nodes_that_are_known_stay_known_where_none_of_the_named_answers() {
        try (var cluster = RedisCluster.start();
                var loops = new EventLoops()) {
            var named = "redis://" + cluster.addresses().findFirst().orElseThrow();
            var topology = new RedisOptions.Topology.Cluster(List.of(named));
            try (var link = new RedisLink(RedisBench.options(topology, 2, SHORT), Script.production(), loops, 0)) {
                link.connect();
                cluster.node(0).stop();
                link.beginAnew();
                assertThat(link.isConnected()).isTrue();
                assertThat(Arrays.stream(link.firstOnNode(TAGS)).distinct()).hasSize(3);
            }
        }
    }

    @Test
    void a_node_that_is_killed_fails_its_own_counters_only_and_is_found_again() {
        try (var cluster = RedisCluster.start();
                var bench = RedisBench.on(cluster).awaitReached()) {
            int[] counters = counterOnEachNode(cluster);
            cluster.node(1).stop();
            assertThat(bench.awaitHeard("lost: "))
                    .matches("lost: a part of Redis is lost \\([56] of 16 hash tags\\): .+");
            assertThat(bench.store.isReachable()).isTrue();
            for (int i = 0; i < 20; i++) {
                assertThat(failureOf(ask(bench, check("user" + counters[1]))))
                        .isInstanceOf(StoreException.class)
                        .hasMessageStartingWith("Redis failed: ");
                hit(bench, "user" + counters[0]);
                hit(bench, "user" + counters[2]);
            }
            cluster.node(1).restart();
            var _ = bench.awaitHeard("reached");
            assertThat(hit(bench, "user" + counters[1]).remaining()).isEqualTo(9);
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void a_replica_that_takes_over_is_found_with_the_counts(RedisVersion version) {
        try (var cluster = RedisCluster.start(version);
                var bench = RedisBench.on(cluster).awaitReached()) {
            int[] counters = counterOnEachNode(cluster);
            var replica = cluster.addReplicaOf(1);
            for (int left = 9; left >= 7; left--) {
                assertThat(hit(bench, "user" + counters[1]).remaining()).isEqualTo(left);
            }
            long written = replicated(cluster.node(1), "master_repl_offset:");
            Eventually.await("the replica has the count", () -> replicated(replica, "slave_repl_offset:") >= written);
            cluster.node(1).stop();
            var _ = bench.awaitHeard("lost: ");
            var _ = bench.awaitHeard("reached"); // of the replica
            assertThat(hit(bench, "user" + counters[1]).remaining()).isEqualTo(6);
        }
    }

    @Test
    void a_master_that_steps_down_in_order_takes_no_count_along() {
        try (var cluster = RedisCluster.start();
                var bench = RedisBench.on(cluster).awaitReached()) {
            int[] counters = counterOnEachNode(cluster);
            var replica = cluster.addReplicaOf(2);
            assertThat(hit(bench, "user" + counters[2]).remaining()).isEqualTo(9);
            replica.command("CLUSTER", "FAILOVER");
            Eventually.await(
                    "the replica has taken over",
                    () -> String.valueOf(replica.command("ROLE")).contains("master"));
            var look = check("user" + counters[2], 0);
            Eventually.await(
                    "the new master is known",
                    () -> ask(bench, look)
                            .handle((_, failure) -> failure == null)
                            .join());
            assertThat(hit(bench, "user" + counters[2]).remaining()).isEqualTo(8);
        }
    }

    @Test
    void a_node_that_is_silent_holds_up_its_own_counters_only() {
        try (var cluster = RedisCluster.start();
                var bench = RedisBench.on(cluster).awaitReached()) {
            int[] counters = counterOnEachNode(cluster);
            cluster.node(2).pause();
            try {
                var mute = IntStream.range(0, 500)
                        .mapToObj(_ -> ask(bench, check("user" + counters[2])))
                        .toList();
                var answered = IntStream.range(0, 10)
                        .mapToObj(_ -> ask(bench, check("user" + counters[0])))
                        .toList();
                assertThat(answered).allSatisfy(answer -> readingsOf(answer));
                assertThat(mute).noneMatch(CompletableFuture::isDone);
            } finally {
                cluster.node(2).resume();
            }
        }
    }

    @Test
    void a_cluster_that_has_lost_a_node_before_the_start_is_used_as_far_as_it_goes() {
        try (var cluster = RedisCluster.start()) {
            int[] counters = counterOnEachNode(cluster);
            cluster.node(0).stop();
            try (var bench = RedisBench.on(cluster, SHORT)) {
                Eventually.await("the loss is told", () -> !bench.heard.isEmpty());
                assertThat(bench.heard.getFirst()).startsWith("lost: a part of Redis is lost (");
                assertThat(bench.store.firstReached().toCompletableFuture()).succeedsWithin(10, TimeUnit.SECONDS);
                assertThat(hit(bench, "user" + counters[1]).remaining()).isEqualTo(9);
                assertThat(failureOf(ask(bench, check("user" + counters[0])))).isInstanceOf(StoreException.class);
                cluster.node(0).restart();
                bench.awaitReached();
                assertThat(hit(bench, "user" + counters[0]).remaining()).isEqualTo(9);
            }
        }
    }

    @Test
    void nodes_that_are_none_of_a_cluster_are_told() {
        try (var redis = RedisServer.start();
                var bench = RedisBench.onClusterAt(redis.port())) {
            Eventually.await("the reason is told", () -> !bench.heard.isEmpty());
            assertThat(bench.heard.getFirst())
                    .isEqualTo(
                            "lost: Redis at redis://127.0.0.1:" + redis.port()
                                    + " cannot be reached: ERR This instance has cluster support disabled; it is none, so leave REDIS_TYPE=CLUSTER out");
        }
    }

    @Test
    void a_node_of_a_cluster_that_is_taken_for_the_only_one_is_told_with_the_way_out() {
        try (var cluster = RedisCluster.start()) {
            int other = (cluster.ownerOf(slotOf(Pulse.key())) + 1) % 3;
            try (var bench = RedisBench.on(cluster.node(other).port())) {
                Eventually.await("the reason is told", () -> !bench.heard.isEmpty());
                assertThat(bench.heard.getFirst()).startsWith("lost: ").endsWith("(REDIS_TYPE=CLUSTER)");
            }
        }
    }

    /** Returns how many bytes of its master's writes a node has seen. */
    private static long replicated(RedisServer node, String name) {
        return String.valueOf(node.command("INFO", "replication"))
                .lines()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.substring(name.length()).strip()))
                .findFirst()
                .orElseThrow();
    }
}
