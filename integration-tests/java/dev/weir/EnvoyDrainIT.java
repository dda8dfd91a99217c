package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.EnvoyBinary;
import dev.weir.testing.EnvoyServer;
import dev.weir.testing.Eventually;
import dev.weir.testing.Example;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Http;
import dev.weir.testing.MostlyWaits;
import dev.weir.testing.Upstream;
import dev.weir.testing.WeirProcess;
import dev.weir.testing.Yaml;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an Envoy with several Weirs behind it makes of one that ends, and of one that is none. */
@MostlyWaits
final class EnvoyDrainIT {
    private static final Map<String, String> RULES = Map.of("edge.yaml", """
            domain: edge
            descriptors:
              - { key: path, rate_limit: { unit: year, requests_per_unit: 1000 } }
            """);
    private static final Map<String, String> ANSWERING_ON = Map.of("DRAIN_DELAY", "1m");
    private static final String HEALTHY = "cluster.weir.membership_healthy";

    @Test
    void who_ends_is_left_before_the_port_closes_and_asked_again_only_where_nobody_is_well() {
        EnvoyBinary.require(); // before anything is started in vain
        int nobody = FreePorts.find(1)[0];
        try (var upstream = Upstream.start();
                var first = WeirProcess.start(RULES, ANSWERING_ON);
                var second = WeirProcess.start(RULES, ANSWERING_ON);
                var envoy = Example.startWithWeirs(upstream.port(), first.grpcPort(), second.grpcPort(), nobody)) {
            awaitHealthy(envoy, 2);

            first.terminate();
            awaitHealthy(envoy, 1);
            first.kill();
            ask(envoy); // one of three is well: with the threshold that Envoy has by itself all would be asked
            assertThat(envoy.stat("cluster.service.ratelimit.error")).isZero();

            second.terminate();
            awaitHealthy(envoy, 0);
            long before = envoy.stat("cluster.service.ratelimit.ok");
            ask(envoy);
            assertThat(envoy.stat("cluster.service.ratelimit.ok"))
                    .as("it is not well, and answers")
                    .isGreaterThan(before);
        }
    }

    @Test
    void a_stranger_that_is_well_is_not_asked() throws IOException {
        EnvoyBinary.require(); // before anything is started in vain
        var stranger = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(new HealthStatusManager().getHealthService()) // SERVING for the empty name, from the start
                .build()
                .start();
        try (var upstream = Upstream.start();
                var weir = WeirProcess.start(RULES, ANSWERING_ON);
                var envoy = Example.startWithWeirs(upstream.port(), weir.grpcPort(), stranger.getPort())) {
            Eventually.await(
                    "each is checked",
                    () -> envoy.stat("cluster.weir.health_check.success")
                                    + envoy.stat("cluster.weir.health_check.failure")
                            >= 2);
            awaitHealthy(envoy, 1);
            ask(envoy);
            assertThat(envoy.stat("cluster.service.ratelimit.error")).isZero();
        } finally {
            stranger.shutdownNow();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"envoy", "limits", "cost", "shadow", "tcp"})
    void every_example_has_the_health_check_of_the_page(String example) {
        var check = "- { grpc_health_check: { service_name: ratelimit }, interval: 3s, no_traffic_interval: 3s,"
                + " timeout: 1s, unhealthy_threshold: 2, healthy_threshold: 1 }";
        var threshold = "common_lb_config: { healthy_panic_threshold: { value: 1 } }";
        assertThat(Yaml.text(Path.of("docs", "envoy.md"))).contains(check, threshold);
        assertThat(Yaml.text(Path.of("envoy", example + ".yaml"))).contains(check, threshold);
    }

    private static void awaitHealthy(EnvoyServer envoy, int count) {
        Eventually.await("%d are well".formatted(count), () -> envoy.stat(HEALTHY) == count);
    }

    private static void ask(EnvoyServer envoy) {
        for (int i = 0; i < 12; i++) {
            assertThat(Http.get(envoy.http("edge", "/")).statusCode()).isEqualTo(200);
        }
    }
}
