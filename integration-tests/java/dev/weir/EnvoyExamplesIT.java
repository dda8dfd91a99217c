package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Caller;
import dev.weir.testing.EnvoyBinary;
import dev.weir.testing.EnvoyServer;
import dev.weir.testing.Eventually;
import dev.weir.testing.Example;
import dev.weir.testing.Http;
import dev.weir.testing.Upstream;
import dev.weir.testing.WeirProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of {@code envoy/} beside the first one, each run by a real Envoy, with the rules that come with it. */
final class EnvoyExamplesIT {
    private static final String BODY = "thirty bytes in each answer...";
    private static final int MEBIBYTE = 1 << 20;

    private static Upstream upstream;
    private static WeirProcess weir;
    private static Caller caller;

    @BeforeAll
    static void start() {
        EnvoyBinary.require(); // before anything is started in vain
        upstream = Upstream.start(BODY);
        weir = WeirProcess.start(Map.of(
                "limits.yaml", Example.rules("limits"),
                "cost.yaml", Example.rules("cost"),
                "shadow.yaml", Example.rules("shadow"),
                "tcp.yaml", Example.rules("tcp")));
        caller = Caller.of(weir);
    }

    @AfterAll
    static void end() {
        if (upstream != null) {
            caller.close();
            weir.close();
            upstream.close();
        }
    }

    @Test
    void several_limits_of_one_route_each_count_what_concerns_them() {
        try (var envoy = Example.start("limits", Map.of(8000, upstream.port(), 8081, weir.grpcPort()))) {
            assertThat(status(envoy, "/", "x-api-key", "k1")).isEqualTo(200);
            assertThat(status(envoy, "/", "x-api-key", "k1")).isEqualTo(200);
            assertThat(status(envoy, "/", "x-api-key", "k1")).isEqualTo(429);
            assertThat(status(envoy, "/", "x-api-key", "k2"))
                    .as("a key of its own")
                    .isEqualTo(200);
            assertThat(status(envoy, "/")).as("no key: the outer rule").isEqualTo(200);
            assertThat(caller.left("limits", "route", "api")).isEqualTo(19);
            assertThat(caller.left("limits", "masked_remote_address", "127.0.0.0/24"))
                    .isEqualTo(10_000 - 5);
            assertThat(caller.left("limits", "method", "write"))
                    .as("none of them wrote")
                    .isEqualTo(3);
            Http.post(envoy.http("edge", "/"), "something");
            assertThat(caller.left("limits", "method", "write")).isEqualTo(2);
            Http.send("MKCOL", envoy.http("edge", "/"), "");
            assertThat(caller.left("limits", "method", "write"))
                    .as("no list of methods has them all")
                    .isEqualTo(1);
            assertThat(caller.left("limits", "total", "api"))
                    .as("whatever key they brought")
                    .isEqualTo(1_000 - 7);
        }
    }

    @Test
    void a_limit_can_come_from_metadata() {
        try (var envoy = Example.start("limits", Map.of(8000, upstream.port(), 8081, weir.grpcPort()))) {
            for (int left = 1; left >= 0; left--) {
                var response = Http.get(envoy.http("edge", "/bought"), "x-client", "ann");
                assertThat(response.statusCode()).isEqualTo(200);
                assertThat(response.headers().firstValue("x-ratelimit-limit")).contains("2, 2;w=86400");
                assertThat(response.headers().firstValue("x-ratelimit-remaining"))
                        .contains(Integer.toString(left));
            }
            assertThat(status(envoy, "/bought", "x-client", "ann")).isEqualTo(429);
            assertThat(status(envoy, "/bought", "x-client", "bob")).isEqualTo(200);
        }
    }

    @Test
    void a_request_costs_what_its_header_says_or_what_its_answer_took() {
        try (var envoy = Example.start("cost", Map.of(8000, upstream.port(), 8081, weir.grpcPort()))) {
            assertThat(status(envoy, "/reports", "x-rows", "400")).isEqualTo(200);
            assertThat(status(envoy, "/reports", "x-rows", "400")).isEqualTo(200);
            assertThat(status(envoy, "/reports", "x-rows", "400")).isEqualTo(429);

            assertThat(status(envoy, "/", "x-client", "ann")).isEqualTo(200);
            awaitLeft("ann", 20);
            assertThat(status(envoy, "/", "x-client", "ann")).isEqualTo(200);
            awaitLeft("ann", 0);
            assertThat(status(envoy, "/", "x-client", "ann")).isEqualTo(429);
        }
    }

    /** Envoy asks for no more hits than that, and drops the question where its format says more. */
    @Test
    void an_answer_of_more_than_a_thousand_million_bytes_is_not_free() throws IOException {
        try (var large = Upstream.start("x".repeat(MEBIBYTE), 954);
                var envoy = Example.start("cost", Map.of(8000, large.port(), 8081, weir.grpcPort()))) {
            var connection = envoy.http("edge", "/").toURL().openConnection();
            connection.setRequestProperty("x-client", "eve");
            try (var answer = connection.getInputStream()) {
                assertThat(answer.transferTo(OutputStream.nullOutputStream())).isGreaterThan(1_000_000_000);
            }
            awaitLeft("eve", 0);
            assertThat(status(envoy, "/", "x-client", "eve")).isEqualTo(429);
        }
    }

    /** To many services x_api_key is x-api-key, which it is not to Envoy; and a question may be too long for its timeout. */
    @ParameterizedTest
    @ValueSource(strings = {"envoy", "limits", "cost", "shadow"})
    void a_header_that_would_be_a_way_around_a_limit_is_refused(String name) {
        try (var envoy = Example.start(name, Map.of(8000, upstream.port(), 8081, weir.grpcPort()))) {
            long before = upstream.requests();
            assertThat(status(envoy, "/", "x_api_key", "k1")).isEqualTo(400);
            assertThat(status(envoy, "/", "x-api-key", "k".repeat(10_000))).isEqualTo(431);
            assertThat(upstream.requests()).isEqualTo(before);
        }
    }

    @Test
    void in_shadow_weir_is_asked_and_the_other_one_decides() {
        var rules = Example.rules("shadow").replace("requests_per_unit: 1", "requests_per_unit: 2");
        try (var now = WeirProcess.start(Map.of("shadow.yaml", rules));
                var envoy = Example.start(
                        "shadow", Map.of(8000, upstream.port(), 8081, weir.grpcPort(), 8082, now.grpcPort()))) {
            for (int i = 0; i < 2; i++) {
                var response = Http.get(envoy.http("edge", "/"), "x-user", "ann");
                assertThat(response.statusCode()).isEqualTo(200);
                assertThat(response.headers().firstValue("x-envoy-ratelimited")).isEmpty();
            }
            assertThat(status(envoy, "/", "x-user", "ann")).isEqualTo(429);
            assertThat(envoy.stat("cluster.service.ratelimit.weir.over_limit")).isEqualTo(2);
            assertThat(envoy.stat("cluster.service.ratelimit.now.over_limit")).isEqualTo(1);
        }
    }

    @Test
    void a_connection_that_is_over_is_closed() throws IOException {
        try (var envoy = Example.start("tcp", Map.of(8000, upstream.port(), 8081, weir.grpcPort()))) {
            int port = envoy.http("edge", "/").getPort();
            assertThat(spokenTo(port)).startsWith("HTTP/1.1 200");
            assertThat(spokenTo(port)).startsWith("HTTP/1.1 200");
            assertThat(spokenTo(port)).isEmpty();
            assertThat(envoy.stat("ratelimit.edge.cx_closed")).isEqualTo(1);
        }
    }

    private static void awaitLeft(String client, int left) {
        Eventually.await("%d bytes are left".formatted(left), () -> caller.left("cost", "bytes_of", client) == left);
    }

    private static int status(EnvoyServer envoy, String path, String... headers) {
        return Http.get(envoy.http("edge", path), headers).statusCode();
    }

    /** Returns what comes back over a new connection, nothing if it is closed. */
    private static String spokenTo(int port) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: edge\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (SocketException _) {
            return ""; // reset, which is a way of closing it
        }
    }
}
