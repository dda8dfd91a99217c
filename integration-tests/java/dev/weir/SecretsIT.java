package dev.weir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.AdsServer;
import dev.weir.testing.Caller;
import dev.weir.testing.Eventually;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Http;
import dev.weir.testing.MostlyWaits;
import dev.weir.testing.OtlpCollector;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitConfig;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitPolicy;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitUnit;
import io.grpc.Metadata;
import io.grpc.Status;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The secrets that are not Redis's ({@link RedisSecretsIT} has those): whom they are for gets them, and nobody else. */
@MostlyWaits
final class SecretsIT {
    private static final String TOKEN = "token-of-the-operator";
    private static final String WRONG_TOKEN = "token-of-somebody";
    private static final String OF_CONTROL_PLANE = "key-of-the-control-plane";
    private static final String OF_COLLECTOR = "weir:word-of-the-collector";
    private static final Metadata.Key<String> API_KEY = Metadata.Key.of("x-api-key", Metadata.ASCII_STRING_MARSHALLER);
    private static final String BODY = """
        {"domain": "edge", "descriptors": [{"entries": [{"key": "user", "value": "ann"}]}]}
        """;

    @Test
    void no_secret_is_shown_at_the_lowest_level() {
        String metrics = "127.0.0.1:" + FreePorts.find();
        var shown = new LinkedHashMap<String, String>();
        try (var ads = AdsServer.start();
                var collector = OtlpCollector.start();
                var weir = WeirProcess.launch(Map.of(), environment(ads, collector, metrics));
                var caller = Caller.of(weir)) {
            ads.next();
            ads.fail(Status.UNAUTHENTICATED.withDescription("once more")); // what fails is told with more words
            ads.next();
            ads.push("1", "one", rules());
            assertThat(ads.next().getVersionInfo()).isEqualTo("1");
            weir.awaitHealthy();
            assertThat(caller.hit("edge", "user", "ann").getLimitRemaining()).isEqualTo(9);

            HttpResponse<String> reset = reset(weir, TOKEN);
            assertThat(reset.statusCode()).isEqualTo(200);
            HttpResponse<String> refused = reset(weir, WRONG_TOKEN);
            assertThat(refused.statusCode()).isEqualTo(401);
            HttpResponse<String> explained = Http.post(weir.debug("/explain"), BODY);
            assertThat(explained.statusCode()).isEqualTo(200);
            shown.put("let in", whole(reset));
            shown.put("not let in", whole(refused));
            shown.put("explained", whole(explained));
            for (String path : List.of("/stats", "/rlconfig", "/live", "/explain", "/busiest", "/rules")) {
                shown.put(path, whole(Http.get(weir.debug(path), "Authorization", "Bearer " + TOKEN)));
            }
            shown.put("/metrics", whole(Http.get(URI.create("http://" + metrics + "/metrics"))));

            assertThat(ads.headers().get(API_KEY)).isEqualTo(OF_CONTROL_PLANE);
            Eventually.await(
                    "spans and metrics came",
                    () -> !collector.spans().isEmpty() && !collector.points().isEmpty());
            assertThat(collector.authorizations()).containsExactly("Basic " + base64(OF_COLLECTOR));
            assertThat(weir.stop()).isZero();
            assertThat(weir.output())
                    .as("it tells much, and both who came in and who did not")
                    .contains("DEBUG", "127.0.0.1 resets edge; user=ann", "/reset");
            shown.put("the log", weir.output());
        }
        for (String secret : List.of(TOKEN, WRONG_TOKEN, OF_CONTROL_PLANE, OF_COLLECTOR)) {
            var showing = shown.entrySet().stream()
                    .filter(each ->
                            each.getValue().contains(secret) || each.getValue().contains(base64(secret)))
                    .map(Map.Entry::getKey);
            assertThat(showing).as("what shows %s", secret).isEmpty();
        }
    }

    /** Spans go over HTTP and metrics over gRPC, whose library would tell of each frame. */
    private static Map<String, String> environment(AdsServer ads, OtlpCollector collector, String metrics) {
        var environment = new HashMap<>(Map.of("LOG_LEVEL", "trace", "ADMIN_TOKEN", TOKEN));
        environment.putAll(Map.of(
                "CONFIG_TYPE",
                "GRPC_XDS_SOTW",
                "CONFIG_GRPC_XDS_SERVER_URL",
                ads.address(),
                "CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS",
                "x-api-key:" + OF_CONTROL_PLANE,
                "XDS_CLIENT_BACKOFF_INITIAL_INTERVAL",
                "10ms"));
        environment.putAll(Map.of("USE_PROMETHEUS", "true", "PROMETHEUS_ADDR", metrics));
        environment.putAll(Map.of(
                "OTEL_EXPORTER_OTLP_HEADERS", "Authorization=Basic%20" + base64(OF_COLLECTOR),
                "TRACING_ENABLED", "true",
                "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", collector.httpAddress() + "/v1/traces",
                "OTEL_BSP_SCHEDULE_DELAY", "100",
                "OTEL_METRICS_EXPORTER", "otlp",
                "OTEL_METRIC_EXPORT_INTERVAL", "200",
                "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc",
                "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", collector.grpcAddress()));
        return environment;
    }

    private static RateLimitConfig rules() {
        var limit = RateLimitPolicy.newBuilder().setUnit(RateLimitUnit.YEAR).setRequestsPerUnit(10);
        return RateLimitConfig.newBuilder()
                .setName("edge")
                .setDomain("edge")
                .addDescriptors(RateLimitDescriptor.newBuilder().setKey("user").setRateLimit(limit))
                .build();
    }

    private static HttpResponse<String> reset(WeirProcess weir, String token) {
        return Http.post(weir.debug("/reset"), BODY, "Authorization", "Bearer " + token);
    }

    private static String whole(HttpResponse<String> page) {
        return page.headers().map() + page.body();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
