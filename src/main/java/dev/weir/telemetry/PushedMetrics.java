package dev.weir.telemetry;

import dev.weir.meter.Meters;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.metrics.OtlpGrpcMetricExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Sends all meters to a collector, again and again. Nothing is kept for one that is away: the next time tells all of it.
 */
public final class PushedMetrics implements AutoCloseable {
    private static final long ENDS_WITHIN_SECONDS = 2;

    private final SdkMeterProvider provider;

    private PushedMetrics(SdkMeterProvider provider) {
        this.provider = provider;
    }

    /**
     * Begins to send.
     *
     * @param tell tells every meter
     * @param interval between two times
     */
    public static PushedMetrics start(
            Consumer<Meters> tell, Duration interval, Identity identity, Collector collector) {
        MetricExporter exporter = collector.isGrpc() ? overGrpc(collector) : overHttp(collector);
        var watched = new WatchedMetricExporter(
                exporter, new Outage("metrics", collector.address().toString(), collector.secrets()));
        long startNanos = nowNanos();
        return new PushedMetrics(SdkMeterProvider.builder()
                .setResource(identity.resource())
                .registerMetricReader(PeriodicMetricReader.builder(watched)
                        .setInterval(interval)
                        .build())
                .registerMetricProducer(resource -> {
                    var meters = new OtlpMeters(startNanos, nowNanos());
                    tell.accept(meters);
                    return meters.of(resource);
                })
                .build());
    }

    private static long nowNanos() {
        return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    }

    private static MetricExporter overHttp(Collector collector) {
        var exporter = OtlpHttpMetricExporter.builder()
                .setEndpoint(collector.address().toString())
                .setTimeout(collector.timeout())
                .setConnectTimeout(collector.timeout())
                .setCompression(collector.compression())
                .setRetryPolicy(null)
                .setHeaders(collector::headers);
        if (collector.authorities() != null) {
            exporter.setTrustedCertificates(collector.authorities().getBytes(StandardCharsets.US_ASCII));
        }
        return exporter.build();
    }

    private static MetricExporter overGrpc(Collector collector) {
        var exporter = OtlpGrpcMetricExporter.builder()
                .setComponentLoader(new GrpcSending())
                .setEndpoint(collector.address().toString())
                .setTimeout(collector.timeout())
                .setConnectTimeout(collector.timeout())
                .setCompression(collector.compression())
                .setRetryPolicy(null)
                .setHeaders(collector::headers);
        if (collector.authorities() != null) {
            exporter.setTrustedCertificates(collector.authorities().getBytes(StandardCharsets.US_ASCII));
        }
        return exporter.build();
    }

    /**
     * Sends once more and ends; blocks for some seconds at most. On a thread of its own, since the library's {@code shutdown()}
     * itself blocks for longer than that.
     */
    @Override
    public void close() {
        var ended = new CompletableFuture<CompletableResultCode>();
        Thread.ofPlatform().daemon().name("weir-metrics-end").start(() -> ended.complete(provider.shutdown()));
        try {
            var _ = ended.get(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS).join(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException _) {
            // what could not be sent by now is not
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
