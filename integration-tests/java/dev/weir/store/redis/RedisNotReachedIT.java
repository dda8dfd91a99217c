package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.weir.loop.EventLoops;
import dev.weir.store.redis.RedisOptions.Topology;
import dev.weir.store.redis.plain.ServerClock;
import dev.weir.testing.Eventually;
import dev.weir.testing.MostlyWaits;
import dev.weir.testing.RedisServer;
import dev.weir.testing.RedisVersions;
import dev.weir.testing.TcpProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What an operator reads where the address of Redis is a wrong one. */
@MostlyWaits
final class RedisNotReachedIT {
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final String NO_HOST = "redis://no-such-host.invalid:6379";

    @Test
    void what_does_not_speak_redis_is_told_in_words() throws IOException {
        var web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        web.start();
        var address = "redis://127.0.0.1:" + web.getAddress().getPort();
        try {
            for (var topology : List.of(new Topology.Single(address), new Topology.Cluster(List.of(address)))) {
                assertThat(whyNot(topology)).isEqualTo("what answers there does not speak Redis's protocol");
            }
        } finally {
            web.stop(0);
        }
    }

    @Test
    void a_name_that_is_not_known_is_told_in_words() {
        for (var topology : List.of(new Topology.Single(NO_HOST), new Topology.Cluster(List.of(NO_HOST)))) {
            assertThat(whyNot(topology)).isEqualTo("there is no such host, or DNS does not answer");
        }
        assertThat(whyNot(new Topology.Sentinel("master", List.of(NO_HOST), null, null)))
                .isEqualTo(
                        "none of the sentinels that REDIS_URL names tells of a master, or DNS does not know their names");
    }

    @Test
    void so_is_a_socket_that_there_is_not() {
        assertThat(whyNot(new Topology.Single("redis+uds:///no/such/redis.sock")))
                .isEqualTo("there is no such socket (REDIS_URL, or REDIS_PERSECOND_URL)");
    }

    @Test
    void a_redis_that_is_laid_out_in_another_way_is_told_with_the_remedy() {
        try (var redis = RedisServer.start()) {
            var address = List.of("redis://127.0.0.1:" + redis.port());
            assertThat(whyNot(new Topology.Cluster(address))).endsWith("it is none, so leave REDIS_TYPE=CLUSTER out");
            assertThat(whyNot(new Topology.Sentinel("master", address, null, null)))
                    .startsWith("it is no sentinel; ");
        }
    }

    /** It has never met another node, which would have told it. */
    @Test
    void so_is_a_cluster_whose_only_node_does_not_know_its_address() {
        try (var redis = RedisServer.startCluster(RedisVersions.first(), "--cluster-announce-ip", "")) {
            assertThat(whyNot(new Topology.Cluster(List.of("redis://127.0.0.1:" + redis.port()))))
                    .endsWith("or the nodes of a cluster do not know their own addresses (cluster-announce-ip)");
        }
    }

    /** Who has mended one mistake of two reads of the other. */
    @Test
    void another_reason_is_told_too() throws IOException {
        var web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        web.start();
        try (var bench = RedisBench.on(
                new Topology.Single("redis://127.0.0.1:" + web.getAddress().getPort()), SHORT)) {
            Eventually.await("the first reason is told", () -> bench.heard.size() == 1);
            assertThat(bench.heard.getFirst()).endsWith("what answers there does not speak Redis's protocol");
            web.stop(0);
            Eventually.await("the second reason is told", () -> bench.heard.size() == 2);
            assertThat(bench.heard.getLast()).contains("cannot be reached: ", "refused");
        } finally {
            web.stop(0);
        }
    }

    /** A process that has just begun, on a busy machine, would be told to look after its TLS. */
    @Test
    void a_first_attempt_that_is_not_answered_in_time_is_tried_again_before_it_is_told() {
        try (var redis = RedisServer.start();
                var proxy = TcpProxy.to(redis.port())) {
            proxy.holdReplies();
            try (var bench = RedisBench.on(proxy.port(), Duration.ofSeconds(2))) {
                Eventually.await("it is made", () -> proxy.openConnections() > 0);
                Eventually.await("it is given up", () -> proxy.openConnections() == 0);
                proxy.resume();
                bench.awaitReached();
                assertThat(bench.heard).containsExactly("reached");
            }
        }
    }

    /** Of a silent Redis each of two hundred calls would be waited for, and nothing told meanwhile. */
    @Test
    void a_redis_that_fails_as_soon_as_it_is_reached_is_told_before_it_is_asked_for_long() {
        String clock = Script.part("clock.lua").replace("local function clock()\n", """
                local function clock()
                  if redis.call('INCR', 'asked') > 20 then
                    error('it answers no more')
                  end
                """);
        try (var redis = RedisServer.start();
                var bench = RedisBench.withScript(redis.port(), Script.of(clock, ServerClock.production()))) {
            Eventually.await("it is told", () -> !bench.heard.isEmpty());
            assertThat(bench.heard.getFirst()).contains("it answers no more");
            assertThat(Integer.parseInt(String.valueOf(redis.command("GET", "asked"))))
                    .isLessThan(100);
        }
    }

    @Test
    void a_defect_of_one_beat_does_not_end_the_pulse() throws IOException {
        var web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        web.start();
        var topology =
                new Topology.Single("redis://127.0.0.1:" + web.getAddress().getPort());
        var heard = new CopyOnWriteArrayList<String>();
        var listener = new DeafListener() {
            @Override
            public void lost(String reason) {
                heard.add(reason);
                if (heard.size() == 1) {
                    throw new IllegalStateException("as no listener should");
                }
            }
        };
        try (var loops = new EventLoops();
                var _ = RedisStore.start(RedisBench.options(topology, 1, SHORT), loops, listener)) {
            Eventually.await("the first reason is told", () -> heard.size() == 1);
            web.stop(0);
            Eventually.await("the second reason is told", () -> heard.size() == 2);
        } finally {
            web.stop(0);
        }
    }

    private static String whyNot(Topology topology) {
        try (var bench = RedisBench.on(topology, SHORT)) {
            Eventually.await("the reason is told", () -> !bench.heard.isEmpty());
            var told = bench.heard.getFirst();
            var beginning = "lost: Redis at " + topology + " cannot be reached: ";
            assertThat(told).startsWith(beginning);
            return told.substring(beginning.length());
        }
    }
}
