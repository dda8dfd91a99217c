package dev.weir.store.redis;

import static dev.weir.store.redis.Hits.ask;
import static dev.weir.store.redis.Hits.check;
import static dev.weir.store.redis.Hits.hit;

import dev.weir.store.StoreContract;
import dev.weir.store.redis.plain.ServerClock;
import dev.weir.testing.Eventually;
import dev.weir.testing.MostlyWaits;
import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisServer;
import java.nio.charset.StandardCharsets;
import java.util.PrimitiveIterator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Nodes whose clocks are seconds apart, and counters that go from one to the other: each has its port's number of seconds more. */
@MostlyWaits
final class ClusterClocksIT {
    private static final HashTags TAGS = new HashTags("", RedisBench.TAGS);
    private static final String TIME = """
            local time = redis.call('TIME')
            local seconds = time[1] + string.match(redis.call('INFO', 'server'), 'tcp_port:(%d+)')
            """;
    private static final String CLOCK = """
            local function clock()
            %s
              return seconds * 1000000 + time[2]
            end

            local function lifetime()
              return '3600000'
            end
            """.formatted(TIME);

    @Test
    void a_slot_that_moves_leaves_the_short_way_open() {
        try (var cluster = RedisCluster.start();
                var bench = start(cluster)) {
            var counters = countersOf(0); // the first tag of its node gives the node its clock
            int slot = cluster.slotOf(TAGS.tag(0));
            int to = (cluster.ownerOf(slot) + 1) % 3;
            hit(bench, next(counters));
            cluster.moveSlot(slot, to);
            for (int i = 0; i < 10; i++) {
                hit(bench, next(counters));
            }
            awaitShortWay(bench, cluster.node(to), counters);
        }
    }

    @Test
    void a_replica_that_takes_over_leaves_it_open() {
        try (var cluster = RedisCluster.start();
                var bench = start(cluster)) {
            var counters = countersOf(0);
            var replica = cluster.addReplicaOf(cluster.ownerOf(cluster.slotOf(TAGS.tag(0))));
            hit(bench, next(counters));
            replica.command("CLUSTER", "FAILOVER");
            Eventually.await("the replica has taken over, and is known", () -> {
                boolean isMaster = String.valueOf(replica.command("ROLE")).contains("master");
                return isAnswered(bench, next(counters)) && isMaster;
            });
            for (int i = 0; i < 10; i++) {
                hit(bench, next(counters));
            }
            awaitShortWay(bench, replica, counters);
        }
    }

    /** Whatever is answered while the script may not be called went without it. It may in between, for it tells the time, too. */
    private static void awaitShortWay(RedisBench bench, RedisServer node, PrimitiveIterator.OfInt counters) {
        Eventually.await("a hit goes the short way", () -> {
            node.command("ACL", "SETUSER", "default", "-evalsha");
            try {
                return isAnswered(bench, next(counters));
            } finally {
                node.command("ACL", "SETUSER", "default", "+evalsha");
            }
        });
    }

    private static boolean isAnswered(RedisBench bench, String counter) {
        return ask(bench, check(counter))
                .handle((_, failure) -> failure == null)
                .join();
    }

    private static RedisBench start(RedisCluster cluster) {
        String asked = TIME + "return {string.format('%d', seconds), time[2]}";
        byte[] command = "*3\r\n$4\r\nEVAL\r\n$%d\r\n%s\r\n$1\r\n0\r\n"
                .formatted(asked.length(), asked)
                .getBytes(StandardCharsets.US_ASCII);
        var clock = new ServerClock(_ -> command, ServerClock.production().lifetime());
        return RedisBench.withScript(cluster, Script.of(CLOCK, clock)).awaitReached();
    }

    /** Returns the numbers of users whose counters are in one tag. */
    private static PrimitiveIterator.OfInt countersOf(int tag) {
        return IntStream.iterate(0, i -> i + 1)
                .filter(i -> TAGS.tagOf(StoreContract.key("user" + i)) == tag)
                .iterator();
    }

    private static String next(PrimitiveIterator.OfInt counters) {
        return "user" + counters.nextInt();
    }
}
