package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.loop.EventLoops;
import dev.weir.store.redis.plain.PlainCall;
import dev.weir.store.redis.plain.ServerClock;
import dev.weir.store.redis.plain.ShortWay;
import dev.weir.testing.Eventually;
import dev.weir.testing.RedisServer;
import dev.weir.testing.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;

/** A network that drops what asks for a connection, so that it is neither made nor refused for as long as may be waited. */
final class MuteNetworkIT {
    private static final int CALLS = 40;
    private static final int IN_FLIGHT = 2;
    private static final Duration SHORT = Duration.ofMillis(50);

    @Test
    void calls_that_were_given_up_do_not_stand_in_line_for_a_connection() {
        try (var redis = RedisServer.start();
                var proxy = TcpProxy.to(redis.port());
                var loops = new EventLoops()) {
            var topology = new RedisOptions.Topology.Single("redis://127.0.0.1:" + proxy.port());
            RedissonClient redisson =
                    Redisson.create(RedissonConfig.of(RedisBench.options(topology, IN_FLIGHT, SHORT), loops, 0));
            try {
                proxy.ignore();
                proxy.cut();
                for (int i = 0; i < CALLS; i++) {
                    assertThat(send(redisson)).failsWithin(Eventually.DEADLINE);
                }
                assertThat(standingInLine(redisson)).isLessThanOrEqualTo(IN_FLIGHT);
            } finally {
                redisson.shutdown();
            }
        }
    }

    private static CompletableFuture<Void> send(RedissonClient redisson) {
        var call = new PlainCall(List.of(), new ShortWay(), ServerClock.production(), "a", _ -> new byte[0]);
        return call.send(redisson, "a", SHORT);
    }

    private static int standingInLine(RedissonClient redisson) {
        return ((Redisson) redisson)
                .getCommandExecutor().getConnectionManager().getEntrySet().stream()
                        .flatMap(node -> node.getAllEntries().stream())
                        .mapToInt(entry -> entry.getConnectionsHolder()
                                .getFreeConnectionsCounter()
                                .queueSize())
                        .sum();
    }
}
