package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cluster that other tests count with is a real one, and moves its slots as an operator would. */
@MostlyWaits
final class RedisClusterIT {
    private static final String VERSIONS = "dev.weir.testing.RedisVersions#here";
    private static final String[] KEYS = {"{a}0", "{a}1", "{a}2"};

    @ParameterizedTest
    @MethodSource(VERSIONS)
    void every_node_owns_a_third_and_refuses_what_is_anothers(RedisVersion version) {
        try (var cluster = RedisCluster.start(version)) {
            assertThat(IntStream.of(0, 5_461, 10_922, 16_383).map(cluster::ownerOf))
                    .containsExactly(0, 1, 2, 2);
            assertThat(cluster.commandTo("a", "SET", "a", "1")).isEqualTo("OK");
            int other = (cluster.ownerOf(cluster.slotOf("a")) + 1) % 3;
            assertThatThrownBy(() -> cluster.node(other).command("GET", "a"))
                    .hasMessageStartingWith("MOVED %d 127.0.0.1:".formatted(cluster.slotOf("a")));
        }
    }

    @ParameterizedTest
    @MethodSource(VERSIONS)
    void a_slot_moves_step_by_step_with_its_keys(RedisVersion version) {
        try (var cluster = RedisCluster.start(version)) {
            for (String key : KEYS) {
                cluster.commandTo(key, "SET", key, key);
            }
            int slot = cluster.slotOf("a");
            int from = cluster.ownerOf(slot);
            int to = (from + 1) % 3;
            var move = cluster.beginMove(slot, to);
            move.moveKeys(2);
            assertThat(move.keysAtSource(10)).hasSize(1);
            String kept = move.keysAtSource(1).getFirst();
            assertThat(cluster.node(from).command("GET", kept)).isEqualTo(kept);
            assertThatThrownBy(() -> cluster.node(from).command("GET", "{a}new"))
                    .hasMessageStartingWith("ASK");
            move.moveKeys(Integer.MAX_VALUE);
            move.finish();
            assertThat(cluster.ownerOf(slot)).isEqualTo(to);
            for (String key : KEYS) {
                assertThat(cluster.commandTo(key, "GET", key)).isEqualTo(key);
            }
        }
    }
}
