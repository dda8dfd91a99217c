package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Http;
import dev.weir.testing.RedisServer;
import dev.weir.testing.RedisVersions;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Counts what envoyproxy/ratelimit counted: every series and every number of its scrape, after the same 1,200 requests.
 *
 * <p>The recording's windows are an hour and longer: a run that meets the end of a UTC hour is made again.
 */
final class MetricsParityIT {

    @Test
    void a_scrape_has_the_recorded_series_counted_in_memory() throws IOException {
        JsonNode recording = Parity.recording("plain");
        assertThat(Parity.inOneHour(() -> scrape(recording, Map.of("BACKEND_TYPE", "memory"))))
                .isEqualTo(recorded());
    }

    @Test
    void a_scrape_has_the_recorded_series_counted_in_redis() throws IOException {
        JsonNode recording = Parity.recording("plain");
        assertThat(Parity.inOneHour(() -> scrapeOnRedis(recording))).isEqualTo(recorded());
    }

    private static List<String> scrapeOnRedis(JsonNode recording) {
        try (var redis = RedisServer.start(RedisVersions.available().getFirst())) {
            return scrape(recording, WeirProcess.on(redis));
        }
    }

    private static List<String> recorded() throws IOException {
        return Parity.lines("plain.metrics.txt").stream().sorted().toList();
    }

    /** Returns the lines of the Go service's names after the recorded requests, without what depends on speed. */
    private static List<String> scrape(JsonNode recording, Map<String, String> store) {
        int port = FreePorts.find();
        var environment = new HashMap<>(store);
        environment.put("USE_PROMETHEUS", "true");
        environment.put("PROMETHEUS_ADDR", "127.0.0.1:" + port);
        try (var weir = WeirProcess.start(Parity.rules(recording), environment)) {
            ask(weir, recording);
            var page = Http.get(URI.create("http://127.0.0.1:" + port + "/metrics"));
            assertThat(page.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).contains("version=0.0.4"));
            return page.body()
                    .lines()
                    .filter(line -> line.startsWith("ratelimit_"))
                    .filter(line -> !line.matches("ratelimit_service_response_time_seconds_(bucket|sum).*"))
                    .sorted()
                    .toList();
        }
    }

    private static void ask(WeirProcess weir, JsonNode recording) {
        ManagedChannel channel = NettyChannelBuilder.forTarget("127.0.0.1:" + weir.grpcPort())
                .usePlaintext()
                .build();
        try {
            var stub = RateLimitServiceGrpc.newBlockingStub(channel);
            for (JsonNode step : recording.get("steps")) {
                var _ = stub.shouldRateLimit(Parity.request(step.get("ask")));
            }
        } finally {
            channel.shutdownNow();
        }
    }
}
