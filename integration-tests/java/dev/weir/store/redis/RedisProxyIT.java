package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.EnvoyServer;
import dev.weir.testing.Eventually;
import dev.weir.testing.RedisServer;
import org.junit.jupiter.api.Test;

/** Envoy's {@code redis_proxy} before one Redis: it says the time itself, and in its own way. */
final class RedisProxyIT {
    private static final long COUNT_BITS = (1L << 43) - 1;

    @Test
    void hits_are_counted_once_behind_envoy() {
        try (var redis = RedisServer.start();
                var envoy = EnvoyServer.start(bootstrap(redis.port()));
                var bench = RedisBench.on(envoy.port("redis"))) {
            Eventually.await(
                    "it is noticed that nobody says the time",
                    () -> bench.heard.stream().anyMatch(line -> line.contains("does not say the time")));
            for (int hits = 1; hits <= 5; hits++) {
                Hits.hit(bench, "a");
                assertThat(Long.parseLong(String.valueOf(redis.command("GET", Hits.redisKey("a")))) & COUNT_BITS)
                        .isEqualTo(hits);
            }
        }
    }

    private static String bootstrap(int redisPort) {
        return """
                admin: {address: {socket_address: {address: 127.0.0.1, port_value: 0}}}
                static_resources:
                  listeners:
                    - name: redis
                      address: {socket_address: {address: 127.0.0.1, port_value: 0}}
                      filter_chains:
                        - filters:
                            - name: envoy.filters.network.redis_proxy
                              typed_config:
                                "@type": type.googleapis.com/envoy.extensions.filters.network.redis_proxy.v3.RedisProxy
                                stat_prefix: redis
                                settings: {op_timeout: 5s}
                                prefix_routes: {catch_all_route: {cluster: redis}}
                  clusters:
                    - name: redis
                      connect_timeout: 5s
                      load_assignment:
                        cluster_name: redis
                        endpoints:
                          - lb_endpoints:
                              - endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: %d}}}
                """.formatted(redisPort);
    }
}
