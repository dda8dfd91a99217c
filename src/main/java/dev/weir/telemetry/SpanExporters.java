package dev.weir.telemetry;

import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporter;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Makes what sends spans to a collector. */
final class SpanExporters {
    /** A hiccup loses nothing; a collector that is away is no reason to hold spans for long. */
    private static final RetryPolicy RETRIES = RetryPolicy.builder()
            .setMaxAttempts(3)
            .setInitialBackoff(Duration.ofMillis(500))
            .setMaxBackoff(Duration.ofSeconds(1))
            .build();

    private SpanExporters() {}

    static SpanExporter to(Collector collector) {
        SpanExporter exporter = collector.isGrpc() ? overGrpc(collector) : overHttp(collector);
        return new WatchedSpanExporter(
                exporter, new Outage("traces", collector.address().toString(), collector.secrets()));
    }

    private static SpanExporter overHttp(Collector collector) {
        var exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(collector.address().toString())
                .setTimeout(collector.timeout())
                .setConnectTimeout(collector.timeout())
                .setCompression(collector.compression())
                .setRetryPolicy(RETRIES)
                .setHeaders(collector::headers);
        if (collector.authorities() != null) {
            exporter.setTrustedCertificates(collector.authorities().getBytes(StandardCharsets.US_ASCII));
        }
        return exporter.build();
    }

    private static SpanExporter overGrpc(Collector collector) {
        var exporter = OtlpGrpcSpanExporter.builder()
                .setComponentLoader(new GrpcSending())
                .setEndpoint(collector.address().toString())
                .setTimeout(collector.timeout())
                .setConnectTimeout(collector.timeout())
                .setCompression(collector.compression())
                .setRetryPolicy(RETRIES)
                .setHeaders(collector::headers);
        if (collector.authorities() != null) {
            exporter.setTrustedCertificates(collector.authorities().getBytes(StandardCharsets.US_ASCII));
        }
        return exporter.build();
    }
}
