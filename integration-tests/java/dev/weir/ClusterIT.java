package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Caller;
import dev.weir.testing.MostlyWaits;
import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisEncryption;
import dev.weir.testing.RedisRights;
import dev.weir.testing.RedisVersion;
import dev.weir.testing.SignedFiles;
import dev.weir.testing.WeirProcess;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A Redis Cluster behind Weir, which has no more rights there than docs/redis.md asks for. */
@MostlyWaits
final class ClusterIT {
    private static final Map<String, String> RULES = Map.of("edge.yaml", """
        domain: edge
        descriptors:
          - { key: user, rate_limit: { unit: year, requests_per_unit: 10 } }
        """);
    private static final String RIGHTS = RedisRights.OF_THE_PAGE + " +cluster|nodes +asking";
    private static final int USERS = 64;

    @ParameterizedTest
    @MethodSource("dev.weir.testing.RedisVersions#here")
    void counts_on_all_nodes_and_also_while_a_slot_moves(RedisVersion version) {
        try (var cluster = RedisCluster.start(version)) {
            for (int i = 0; i < 3; i++) {
                var user = Stream.of("ACL", "SETUSER", "weir", "on", ">s3cret-word", "~*");
                cluster.node(i)
                        .command(Stream.concat(user, Stream.of(RIGHTS.split(" ")))
                                .toArray(String[]::new));
            }
            var environment = new HashMap<>(WeirProcess.on(cluster));
            environment.put("REDIS_AUTH", "weir:s3cret-word");
            assertCounts(cluster, environment);
        }
    }

    @Test
    void counts_where_every_node_wants_tls_and_our_certificate() {
        try (var certificates = SignedFiles.create();
                var cluster = RedisCluster.start(RedisEncryption.by(certificates))) {
            var client = certificates.sign("weir", "weir.example");
            assertCounts(
                    cluster, RedisEncryption.environment(WeirProcess.on(cluster), client, certificates.authority()));
        }
    }

    private static void assertCounts(RedisCluster cluster, Map<String, String> environment) {
        try (var weir = WeirProcess.start(RULES, environment);
                var caller = Caller.of(weir)) {
            assertThat(leftOf("early", caller)).containsOnly(9);
            assertThat(leftOf("early", caller)).containsOnly(8);
            assertThat(IntStream.range(0, 3).mapToObj(node -> keys(cluster, node, "early")))
                    .noneMatch(List::isEmpty);

            String moved = keys(cluster, 0, "early").getFirst();
            var move = cluster.beginMove(cluster.slotOf(moved), 1);
            move.moveKeys(List.of(moved));
            assertThat(leftOf("early", caller)).containsOnly(7);
            assertThat(leftOf("late", caller)).containsOnly(9);
            move.moveKeys(Integer.MAX_VALUE);
            move.finish();
            assertThat(leftOf("early", caller)).containsOnly(6);
            assertThat(weir.output()).contains(" (a cluster)");
            assertThat(weir.warnings()).isEmpty();
        }
    }

    private static Stream<Integer> leftOf(String users, Caller caller) {
        return IntStream.range(0, USERS)
                .mapToObj(i -> caller.hit("edge", "user", users + i).getLimitRemaining());
    }

    private static List<String> keys(RedisCluster cluster, int node, String part) {
        if (cluster.node(node).command("KEYS", "*" + part + "*") instanceof List<?> keys) {
            return keys.stream().map(String::valueOf).toList();
        }
        throw new AssertionError("Redis lists no keys");
    }
}
