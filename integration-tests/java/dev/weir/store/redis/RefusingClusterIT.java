package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Eventually;
import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisServer;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cluster whose nodes all answer with errors is there: nothing is won by asking again where the operator said it is. */
final class RefusingClusterIT {
    private static final int NODES = 3;

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
