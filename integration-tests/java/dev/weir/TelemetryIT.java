package dev.weir;

import static dev.weir.testing.Caller.descriptor;
import static dev.weir.testing.Caller.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Caller;
import dev.weir.testing.Eventually;
import dev.weir.testing.FreePorts;
import dev.weir.testing.OtlpCollector;
import dev.weir.testing.RedisServer;
import dev.weir.testing.SignedFiles;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a collector of OpenTelemetry is told of calls and of counts. */
final class TelemetryIT {
    private static final Map<String, String> RULES = Map.of("edge.yaml", """
        domain: edge
        descriptors:
          - { key: user, rate_limit: { unit: year, requests_per_unit: 2 } }
        """);
    private static final RateLimitRequest QUESTION = request("edge", descriptor("user", "ann"));
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String ENVOY = "b7ad6b7169203331";
    private static final String METHOD = "envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
    private static final Pattern STRANGER = Pattern.compile(
            "(traces|metrics) do not reach https://.*: its certificate is not trusted \\(OTEL_EXPORTER_OTLP_CERTIFICATE\\): ");
    private static final String IN_REDIS = "Redis Pipeline Execution";

    @Test
    void a_call_is_a_span_below_that_of_its_caller_and_above_that_of_redis() {
        try (var collector = OtlpCollector.start();
                var redis = RedisServer.start()) {
            var environment = tracing(WeirProcess.on(redis), collector.httpAddress());
            environment.put("TRACING_SERVICE_NAMESPACE", "edge");
            environment.put("OTEL_EXPORTER_OTLP_HEADERS", "Authorization=Basic%20c2VjcmV0");
            environment.put("OTEL_EXPORTER_OTLP_COMPRESSION", "none");
            try (var weir = WeirProcess.start(RULES, environment);
                    var caller = Caller.of(weir)) {
                ask(caller, Map.of("traceparent", "00-" + TRACE + "-" + ENVOY + "-01"));
                ask(caller, Map.of("traceparent", "00-" + TRACE + "-" + ENVOY + "-00"));
                Eventually.await("two spans", () -> collector.spans().size() == 2);
                weir.stop(); // which sends what there is besides
                assertThat(weir.output()).doesNotContain("c2VjcmV0");
            }
            var call = span(collector, METHOD);
            assertThat(call.trace()).isEqualTo(TRACE);
            assertThat(call.parent()).isEqualTo(ENVOY);
            assertThat(call.attributes())
                    .containsEntry("rpc.system", "grpc")
                    .containsEntry("rpc.method", "ShouldRateLimit")
                    .containsEntry("rpc.grpc.status_code", "0")
                    .containsEntry("ratelimit.domain", "edge")
                    .containsEntry("ratelimit.descriptors", "1")
                    .containsEntry("ratelimit.overall_code", "OK");
            assertThat(call.resource())
                    .containsEntry("service.name", "RateLimit")
                    .containsEntry("service.namespace", "edge")
                    .containsKey("service.instance.id");
            var inRedis = span(collector, IN_REDIS);
            assertThat(inRedis.trace()).isEqualTo(TRACE);
            assertThat(inRedis.parent()).isEqualTo(call.id());
            assertThat(collector.spans()).hasSize(2); // that of a caller which is not sampled is none
            assertThat(collector.places()).containsExactly("/v1/traces");
            assertThat(collector.authorizations()).containsExactly("Basic c2VjcmV0");
        }
    }

    @Test
    void a_call_that_is_refused_from_memory_did_not_ask_redis() {
        try (var collector = OtlpCollector.start();
                var redis = RedisServer.start()) {
            var environment = tracing(WeirProcess.on(redis), collector.httpAddress());
            try (var weir = WeirProcess.start(RULES, environment);
                    var caller = Caller.of(weir)) {
                var traced = Map.of("traceparent", "00-" + TRACE + "-" + ENVOY + "-01");
                for (int i = 0; i < 20; i++) {
                    ask(caller, traced);
                }
                Eventually.await("all calls", () -> count(collector, METHOD) == 20);
                weir.stop();
            }
            assertThat(count(collector, IN_REDIS))
                    .as("two that pass, and one that is refused")
                    .isBetween(3L, 10L);
        }
    }

    @Test
    void callers_that_speak_b3_are_understood_and_grpc_carries_the_spans() {
        try (var collector = OtlpCollector.start()) {
            var environment = tracing(Map.of(), collector.grpcAddress());
            environment.put("TRACING_EXPORTER_PROTOCOL", "grpc");
            environment.put("TRACING_SAMPLING_RATE", "0");
            try (var weir = WeirProcess.start(RULES, environment);
                    var caller = Caller.of(weir)) {
                caller.ask(QUESTION); // of nobody's trace, and the share is 0
                ask(caller, Map.of("x-b3-traceid", TRACE, "x-b3-spanid", ENVOY, "x-b3-sampled", "1"));
                ask(caller, Map.of("b3", TRACE + "-" + ENVOY + "-1"));
                Eventually.await("two spans", () -> collector.spans().size() == 2);
                weir.stop();
            }
            assertThat(collector.spans()).hasSize(2).allSatisfy(span -> {
                assertThat(span.name()).isEqualTo(METHOD);
                assertThat(span.trace()).isEqualTo(TRACE);
                assertThat(span.parent()).isEqualTo(ENVOY);
            });
            assertThat(collector.spans().stream().map(span -> span.attributes().get("ratelimit.overall_code")))
                    .containsExactlyInAnyOrder("OK", "OVER_LIMIT");
        }
    }

    @Test
    void what_fails_is_an_error_and_the_end_of_weir_loses_nothing() {
        try (var collector = OtlpCollector.start();
                var redis = RedisServer.start()) {
            var environment = tracing(WeirProcess.on(redis), collector.httpAddress());
            redis.stop();
            try (var weir = WeirProcess.launch(RULES, environment);
                    var caller = Caller.of(weir)) {
                weir.awaitOutput("debug on ");
                var _ = caller.failureOf(QUESTION);
                weir.stop();
            }
            assertThat(span(collector, METHOD).status()).isEqualTo(2);
            assertThat(span(collector, METHOD).attributes()).containsEntry("rpc.grpc.status_code", "14");
            assertThat(span(collector, IN_REDIS).status()).isEqualTo(2);
        }
    }

    @Test
    void a_collector_that_is_away_is_told_of_once_and_found_again() {
        int port = FreePorts.find();
        try (var weir = WeirProcess.start(RULES, tracing(Map.of(), "http://127.0.0.1:" + port));
                var caller = Caller.of(weir)) {
            for (int i = 0; i < 5_000; i++) { // more than may wait
                caller.ask(QUESTION);
            }
            weir.awaitOutput("traces do not reach http://127.0.0.1:" + port + "/v1/traces");
            try (var collector = OtlpCollector.start(port)) {
                Eventually.await("spans", () -> {
                    caller.ask(QUESTION);
                    return !collector.spans().isEmpty();
                });
                weir.awaitOutput("traces reach http://127.0.0.1:" + port + "/v1/traces again");
            }
            assertThat(weir.output().lines().filter(line -> line.contains("WARN")))
                    .hasSize(1);
            assertThat(weir.output()).doesNotContain("Exception", "\tat ");
        }
    }

    @Test
    void metrics_that_nobody_takes_are_told_of_once() {
        var away = "http://127.0.0.1:" + FreePorts.find();
        var environment = Map.of(
                "OTEL_METRICS_EXPORTER", "otlp",
                "OTEL_METRIC_EXPORT_INTERVAL", "100",
                "OTEL_EXPORTER_OTLP_ENDPOINT", away,
                "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc");
        try (var weir = WeirProcess.start(RULES, environment);
                var caller = Caller.of(weir)) {
            weir.awaitOutput("metrics do not reach " + away + ": it takes no connections");
            for (int i = 0; i < 2_000; i++) { // for longer than some intervals
                caller.ask(QUESTION);
            }
            assertThat(weir.output().lines().filter(line -> line.contains("WARN")))
                    .hasSize(1);
        }
    }

    @Test
    void nothing_of_the_library_is_loaded_where_nothing_is_told(@TempDir Path folder) throws IOException {
        Path loaded = folder.resolve("loaded");
        var environment = Map.of("JAVA_OPTS", "-Xlog:class+load:file=" + loaded, "USE_PROMETHEUS", "false");
        try (var weir = WeirProcess.start(RULES, environment);
                var caller = Caller.of(weir)) {
            ask(caller, Map.of("traceparent", "00-" + TRACE + "-" + ENVOY + "-01"));
        }
        assertThat(Files.readString(loaded)).contains("dev.weir.call.Trace").doesNotContain("io.opentelemetry");
    }

    @ParameterizedTest
    @CsvSource({
        "http/protobuf, /v1/metrics",
        "grpc, opentelemetry.proto.collector.metrics.v1.MetricsService/Export",
    })
    void counts_are_sent_as_prometheus_would_read_them(String protocol, String place) {
        try (var collector = OtlpCollector.start()) {
            var environment = Map.of(
                    "OTEL_METRICS_EXPORTER",
                    "otlp",
                    "OTEL_METRIC_EXPORT_INTERVAL",
                    "200",
                    "OTEL_EXPORTER_OTLP_PROTOCOL",
                    protocol,
                    "OTEL_EXPORTER_OTLP_ENDPOINT",
                    protocol.equals("grpc") ? collector.grpcAddress() : collector.httpAddress());
            try (var weir = WeirProcess.start(RULES, environment);
                    var caller = Caller.of(weir)) {
                for (int i = 0; i < 7; i++) {
                    caller.ask(QUESTION);
                }
                Eventually.await("counts", () -> collector.points().contains(hits(7)));
            }
            assertThat(collector.places()).containsExactly(place);
            assertThat(collector.points())
                    .contains(new OtlpCollector.Point(
                            "ratelimit_service_response_time_seconds", Map.of("grpc_method", "ShouldRateLimit"), 7))
                    .extracting(OtlpCollector.Point::metric)
                    .contains("weir_store_reachable", "jvm_memory_used_bytes", "process_cpu_seconds_total");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "grpc"})
    void a_collector_that_speaks_tls_is_trusted_for_its_authority(String protocol) {
        try (var certificates = SignedFiles.create();
                var collector = OtlpCollector.start(certificates.sign("collector", "127.0.0.1"))) {
            var environment = overTls(collector, protocol, certificates);
            try (var weir = WeirProcess.start(RULES, environment);
                    var caller = Caller.of(weir)) {
                caller.ask(QUESTION);
                Eventually.await("a span", () -> !collector.spans().isEmpty());
                Eventually.await("counts", () -> collector.points().contains(hits(1)));
                assertThat(weir.output()).contains(" to https://").doesNotContain("WARN");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "grpc"})
    void a_collector_that_is_a_stranger_is_told_nothing_and_the_log_says_why_once(String protocol) {
        try (var certificates = SignedFiles.create();
                var collector = OtlpCollector.start(certificates.sign("collector", "127.0.0.1"));
                var foreign = SignedFiles.create()) {
            try (var weir = WeirProcess.start(RULES, overTls(collector, protocol, foreign));
                    var caller = Caller.of(weir)) {
                Eventually.await("both failures are told", () -> {
                    caller.ask(QUESTION);
                    return STRANGER.matcher(weir.output()).results().count() == 2;
                });
                assertThat(weir.output().lines().filter(line -> line.contains("WARN")))
                        .hasSize(2);
                assertThat(weir.output()).doesNotContain("Exception", "\tat ");
            }
            assertThat(collector.places()).isEmpty();
        }
    }

    private static Map<String, String> overTls(OtlpCollector collector, String protocol, SignedFiles trusted) {
        boolean isGrpc = protocol.equals("grpc");
        var environment = tracing(Map.of(), isGrpc ? collector.grpcAddress() : collector.httpAddress());
        environment.put("TRACING_EXPORTER_PROTOCOL", protocol);
        environment.put("OTEL_METRICS_EXPORTER", "otlp");
        environment.put("OTEL_METRIC_EXPORT_INTERVAL", "200");
        environment.put("OTEL_EXPORTER_OTLP_PROTOCOL", isGrpc ? "grpc" : "http/protobuf");
        environment.put("OTEL_EXPORTER_OTLP_CERTIFICATE", trusted.authority().toString());
        return environment;
    }

    private static OtlpCollector.Point hits(int count) {
        return new OtlpCollector.Point(
                "ratelimit_service_rate_limit_total_hits", Map.of("domain", "edge", "key1", "user"), count);
    }

    private static long count(OtlpCollector collector, String name) {
        return collector.spans().stream()
                .filter(span -> span.name().equals(name))
                .count();
    }

    private static OtlpCollector.Span span(OtlpCollector collector, String name) {
        return collector.spans().stream()
                .filter(span -> span.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " in " + collector.spans()));
    }

    private static Map<String, String> tracing(Map<String, String> store, String address) {
        var environment = new HashMap<>(store);
        environment.put("TRACING_ENABLED", "true");
        environment.put("OTEL_EXPORTER_OTLP_ENDPOINT", address);
        return environment;
    }

    private static void ask(Caller caller, Map<String, String> headers) {
        var metadata = new Metadata();
        headers.forEach((name, value) -> metadata.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value));
        var _ = RateLimitServiceGrpc.newBlockingStub(caller.channel())
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata))
                .shouldRateLimit(QUESTION);
    }
}
