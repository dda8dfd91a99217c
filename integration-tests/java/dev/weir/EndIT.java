package dev.weir;

import static dev.weir.testing.Caller.descriptor;
import static dev.weir.testing.Caller.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Caller;
import dev.weir.testing.Eventually;
import dev.weir.testing.RedisServer;
import dev.weir.testing.TcpProxy;
import dev.weir.testing.WeirCommand;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.grpc.Status;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What becomes of calls and counts when the service is told to end, and how a full heap ends it. */
final class EndIT {
    private static final Map<String, String> RULES = Map.of("edge.yaml", """
        domain: edge
        descriptors:
          - { key: user, rate_limit: { unit: year, requests_per_unit: 10 } }
        """);
    private static final RateLimitRequest QUESTION = request("edge", descriptor("user", "ann"));

    /** Longer than DRAIN_TIMEOUT is here, and shorter than it is where nobody sets it. */
    private static final Duration CALLERS_DEADLINE = Duration.ofSeconds(20);

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Test
    void what_is_under_way_is_answered() throws Exception {
        try (var redis = RedisServer.start();
                var proxy = TcpProxy.to(redis.port());
                var weir = WeirProcess.start(RULES, draining(proxy, "10m"));
                var caller = Caller.of(weir)) {
            var asked = proxy.watch("ann");
            proxy.holdReplies();
            var answer = CompletableFuture.supplyAsync(() -> caller.ask(QUESTION));
            asked.await(1);
            weir.terminate();
            weir.awaitOutput("not healthy any more, answering for another 0 s");
            Eventually.await("Weir takes no calls", () -> !isOpen(weir.grpcPort()));
            proxy.resume();
            assertThat(answer)
                    .succeedsWithin(PATIENCE)
                    .extracting(RateLimitResponse::getOverallCode)
                    .isEqualTo(RateLimitResponse.Code.OK);
            assertThat(weir.awaitEnd()).isZero();
            assertThat(weir.output()).contains("Weir has ended");
        }
    }

    @Test
    void what_hangs_is_cut_when_its_time_is_over() throws Exception {
        try (var redis = RedisServer.start();
                var proxy = TcpProxy.to(redis.port());
                var weir = WeirProcess.start(RULES, draining(proxy, "1s"));
                var caller = Caller.of(weir)) {
            var asked = proxy.watch("ann");
            proxy.holdReplies();
            var failure = CompletableFuture.supplyAsync(() -> caller.failureOf(QUESTION, CALLERS_DEADLINE));
            asked.await(1);
            weir.terminate();
            assertThat(failure)
                    .succeedsWithin(Caller.PATIENCE)
                    .extracting(Status::getCode)
                    .isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(weir.awaitEnd()).isZero();
            assertThat(weir.output()).contains("Weir has ended");
        }
    }

    /** The store may take longer than anybody here waits: nothing but the end of Weir bounds a call. */
    private static Map<String, String> draining(TcpProxy proxy, String timeout) {
        var environment = new HashMap<>(WeirProcess.on(proxy));
        environment.putAll(Map.of("STORE_TIMEOUT", "1m", "DRAIN_DELAY", "0s", "DRAIN_TIMEOUT", timeout));
        return environment;
    }

    private static boolean isOpen(int port) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException _) {
            return false; // that it is refused is the answer
        }
    }

    @Test
    void what_was_counted_since_the_last_time_is_told_at_the_end() throws IOException {
        try (var statsd = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var environment = Map.of(
                    "USE_STATSD", "true",
                    "STATSD_HOST", "127.0.0.1",
                    "STATSD_PORT", Integer.toString(statsd.getLocalPort()),
                    "STATSD_PROTOCOL", "tcp",
                    "STATS_FLUSH_INTERVAL", "1h");
            try (var weir = WeirProcess.start(RULES, environment);
                    var caller = Caller.of(weir)) {
                for (int i = 0; i < 7; i++) {
                    caller.ask(QUESTION);
                }
                assertThat(weir.stop()).isZero();
            }
            assertThat(told(statsd)).contains("ratelimit.service.rate_limit.edge.user.total_hits:7|c");
        }
    }

    /** Returns the lines of whoever has connected, up to the end of them. */
    private static List<String> told(ServerSocket server) throws IOException {
        server.setSoTimeout((int) PATIENCE.toMillis());
        try (var socket = server.accept();
                var reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            return reader.lines().toList();
        }
    }

    @Test
    void a_full_heap_ends_it_with_3() throws Exception {
        var tests = Path.of(FullHeap.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        var ended = WeirCommand.run(Map.of(
                "WEIR_MAIN", FullHeap.class.getName(), "JAVA_OPTS", "-Xbootclasspath/a:" + tests, "WEIR_HEAP", "32m"));
        assertThat(ended.exitCode()).as(ended.output()).isEqualTo(3);
        assertThat(ended.output()).contains("java.lang.OutOfMemoryError");
    }
}
