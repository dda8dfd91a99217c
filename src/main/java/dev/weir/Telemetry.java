package dev.weir;

import dev.weir.call.Tracer;
import dev.weir.grpc.GrpcServer;
import dev.weir.metrics.MetricPages;
import dev.weir.settings.Settings;
import dev.weir.store.Store;
import dev.weir.telemetry.Collector;
import dev.weir.telemetry.Identity;
import dev.weir.telemetry.PushedMetrics;
import dev.weir.telemetry.TracedStore;
import dev.weir.telemetry.Tracing;
import dev.weir.tls.Authorities;
import dev.weir.tls.PemException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What collectors of OpenTelemetry are told. Where that is nothing, none of that library's classes is loaded. */
final class Telemetry implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("weir");

    private final Settings settings;
    private final @Nullable Tracing tracing;
    private final @Nullable Collector metricsCollector;
    private @Nullable PushedMetrics metrics;

    private Telemetry(Settings settings, @Nullable Tracing tracing, @Nullable Collector metricsCollector) {
        this.settings = settings;
        this.tracing = tracing;
        this.metricsCollector = metricsCollector;
    }

    /**
     * Begins to trace, if that is wanted.
     *
     * @throws StartException if what should show who signed the collector's certificate cannot be used
     */
    static Telemetry of(Settings settings) throws StartException {
        var metrics = settings.telemetry().metrics();
        Collector metricsCollector = metrics == null ? null : collector(metrics.collector(), settings);
        return new Telemetry(
                settings, tracing(settings), metricsCollector); // last what begins, for nobody would end it
    }

    private static @Nullable Tracing tracing(Settings settings) throws StartException {
        var wanted = settings.telemetry().tracing();
        if (wanted == null) {
            return null;
        }
        Collector collector = collector(wanted.collector(), settings);
        LOG.info("traces to {}", collector.address());
        return Tracing.start(GrpcServer.shouldRateLimitPath(), wanted.share(), identity(settings), collector);
    }

    /** Begins to send metrics, if that is wanted. */
    void push(MetricPages pages) {
        var wanted = settings.telemetry().metrics();
        if (wanted != null && metricsCollector != null) {
            LOG.info("metrics to {}", metricsCollector.address());
            metrics = PushedMetrics.start(pages::tell, wanted.interval(), identity(settings), metricsCollector);
        }
    }

    private static Identity identity(Settings settings) {
        return new Identity(settings.telemetry().attributes());
    }

    private static Collector collector(Collector wanted, Settings settings) throws StartException {
        Path file = settings.telemetry().authorities();
        return file == null ? wanted : wanted.trusting(authorities(file));
    }

    private static String authorities(Path file) throws StartException {
        try {
            Authorities.check(file);
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (PemException e) {
            throw new StartException("OTEL_EXPORTER_OTLP_CERTIFICATE: " + e.file() + ": " + e.reason());
        } catch (IOException e) {
            throw new StartException("OTEL_EXPORTER_OTLP_CERTIFICATE: " + file + ": it cannot be read: " + e);
        }
    }

    /** Returns who says which calls are followed, or null if none is. */
    @Nullable
    Tracer tracer() {
        return tracing;
    }

    /** Returns the store in Redis as it shall be asked, so that it shows in the traces. */
    Store around(Store redis) {
        return tracing == null ? redis : new TracedStore(redis);
    }

    /** Sends what waits, for some seconds at most. Blocks. */
    @Override
    public void close() {
        PushedMetrics pushed = metrics;
        try (pushed) {
            if (tracing != null) {
                tracing.close();
            }
        }
    }
}
