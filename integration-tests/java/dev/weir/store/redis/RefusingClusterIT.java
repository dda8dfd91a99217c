package dev.weir.store.redis;

import static dev.weir.store.redis.Hits.ask;
import static dev.weir.store.redis.Hits.failureOf;
import static dev.weir.store.redis.Hits.hit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.StoreContract;
import dev.weir.store.StoreException;
import dev.weir.store.redis.plain.ServerClock;
import dev.weir.testing.Eventually;
import dev.weir.testing.MostlyWaits;
import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisErrorReply;
import dev.weir.testing.RedisServer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A cluster whose nodes all answer with errors is there: nothing is won by asking again where the operator said it is. One node
 * that does is no matter of the others.
 */
@MostlyWaits
final class RefusingClusterIT {
    private static final int NODES = 3;
    private static final HashTags TAGS = new HashTags("", RedisBench.TAGS);

    /** More beats than the silence takes after which Weir asks there, and at most six hash tags on a node. */
    private static final int CALLS = 8 * 6;

    @ParameterizedTest
    @CsvSource({"OOM, CONFIG SET maxmemory 1", "NOPERM, ACL SETUSER default -evalsha"})
    void its_errors_are_no_silence_and_its_connections_stay(String error, String order) {
        try (var cluster = RedisCluster.start();
                var bench = RedisBench.on(cluster).awaitReached()) {
            for (int node = 0; node < NODES; node++) {
                cluster.node(node).command(order.split(" "));
            }
            Eventually.await("the loss is told", () -> bench.heard.getLast().contains(error));
            var node = cluster.node(0);
            var before = clients(node);
            long calls = calls(node);
            Eventually.await("the pulse has beaten on", () -> calls(node) >= calls + CALLS);
            assertThat(clients(node)).containsAll(before);
        }
    }

    @Test
    void a_node_that_is_kept_busy_takes_the_short_way_from_no_other() {
        try (var cluster = RedisCluster.start();
                var bench = RedisBench.on(cluster).awaitReached()) {
            String[] counters = counterOnEachNode(cluster);
            var busy = cluster.node(0);
            busy.command("CONFIG", "SET", "lua-time-limit", "1");
            var script = CompletableFuture.runAsync(() -> busy.command("EVAL", "while true do end", "0"));
            try {
                Eventually.await("it is busy", () -> isBusy(busy));
                forbidScript(cluster, 1);
                forbidScript(cluster, 2);
                assertThat(failureOf(ask(bench, counters[0]))).hasMessageContaining("BUSY");
                for (int i = 0; i < 10; i++) {
                    assertThat(failureOf(ask(bench, counters[0]))).isInstanceOf(StoreException.class);
                    hit(bench, counters[1]);
                    hit(bench, counters[2]);
                }
            } finally {
                busy.command("SCRIPT", "KILL");
            }
            assertThat(script).failsWithin(Eventually.DEADLINE); // it was killed
            forbidScript(cluster, 0);
            Eventually.await(
                    "the short way to it is open",
                    () -> ask(bench, counters[0])
                            .handle((_, failure) -> failure == null)
                            .join());
            assertThat(bench.heard).noneMatch(heard -> heard.startsWith("short way closed"));
        }
    }

    /** As behind a proxy of its own that does not know TIME. */
    @Test
    void a_node_that_does_not_tell_the_time_is_asked_by_the_script_and_the_others_are_not() {
        try (var cluster = RedisCluster.start()) {
            var clock = ServerClock.production();
            byte[] ping = "*1\r\n$4\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII);
            var timeless = new ServerClock(
                    key -> cluster.ownerOf(cluster.slotOf(key)) == 0
                            ? ping
                            : clock.command().apply(key),
                    clock.lifetime());
            try (var bench = RedisBench.withScript(cluster, Script.of(Script.part("clock.lua"), timeless))) {
                bench.awaitReached();
                String[] counters = counterOnEachNode(cluster);
                String told = "short way closed: Redis does not say the time: no time (127.0.0.1:"
                        + cluster.node(0).port() + ")";
                Eventually.await("that is told", () -> bench.heard.contains(told));
                forbidScript(cluster, 1);
                forbidScript(cluster, 2);
                for (int left = 9; left >= 0; left--) {
                    for (int node = 0; node < NODES; node++) {
                        assertThat(hit(bench, counters[node]).remaining()).isEqualTo(left);
                    }
                }
                assertThat(bench.heard)
                        .filteredOn(heard -> heard.startsWith("short way closed"))
                        .hasSize(1);
            }
        }
    }

    private static void forbidScript(RedisCluster cluster, int node) {
        cluster.node(node).command("ACL", "SETUSER", "default", "-evalsha");
    }

    private static boolean isBusy(RedisServer node) {
        try {
            node.command("PING");
            return false;
        } catch (RedisErrorReply e) {
            return String.valueOf(e.getMessage()).contains("BUSY");
        }
    }

    /** Returns for each node the name of a counter that lives there. */
    private static String[] counterOnEachNode(RedisCluster cluster) {
        return IntStream.range(0, NODES)
                .mapToObj(node -> IntStream.iterate(0, i -> i + 1)
                        .mapToObj(i -> "user" + i)
                        .filter(name -> cluster.ownerOf(slotOf(cluster, name)) == node)
                        .findFirst()
                        .orElseThrow())
                .toArray(String[]::new);
    }

    private static int slotOf(RedisCluster cluster, String counter) {
        return cluster.slotOf(TAGS.tag(TAGS.tagOf(StoreContract.key(counter))));
    }

    /** Returns the numbers of all connections but the one that asks. */
    private static Set<String> clients(RedisServer node) {
        return String.valueOf(node.command("CLIENT", "LIST"))
                .lines()
                .filter(line -> !line.contains(" cmd=client"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .collect(Collectors.toSet());
    }

    /** Returns how often the script was called, whatever came of it. */
    private static long calls(RedisServer node) {
        return String.valueOf(node.command("INFO", "commandstats"))
                .lines()
                .filter(line -> line.startsWith("cmdstat_evalsha:"))
                .mapToLong(line -> number(line, ":calls=") + number(line, ",rejected_calls="))
                .sum();
    }

    private static long number(String line, String name) {
        String from = line.substring(line.indexOf(name) + name.length());
        return Long.parseLong(from.substring(0, from.indexOf(',')));
    }
}
