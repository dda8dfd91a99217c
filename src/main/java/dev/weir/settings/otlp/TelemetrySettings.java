package dev.weir.settings.otlp;

import dev.weir.settings.table.Environment;
import dev.weir.settings.table.Setting;
import dev.weir.telemetry.Collector;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What collectors of OpenTelemetry are told.
 *
 * @param tracing what is traced, or null for nothing
 * @param metrics how often counts are sent, or null for never
 * @param authorities who may have signed the certificates of collectors; null for those whom Java trusts
 * @param attributes who tells, by OpenTelemetry's names
 */
public record TelemetrySettings(
        @Nullable Tracing tracing,
        @Nullable Metrics metrics,
        @Nullable Path authorities,
        Map<String, String> attributes) {

    public TelemetrySettings {
        attributes = Map.copyOf(attributes);
    }

    /**
     * What is traced.
     *
     * @param share of the calls that is sampled where the caller is not traced; from 1 on all, from 0 down none
     * @param collector where to, without the authorities, which are the same for all
     */
    public record Tracing(double share, Collector collector) {}

    /**
     * How counts are sent.
     *
     * @param interval between two times
     * @param collector where to, as for traces without the authorities
     */
    public record Metrics(Duration interval, Collector collector) {}

    /** Returns the rows of the table, in the order of its documentation. */
    public static List<Setting<?>> rows() {
        return TelemetryRows.all();
    }

    /** Reads what collectors are told. */
    public static TelemetrySettings of(Environment environment) {
        return new TelemetrySettings(
                environment.read(TelemetryRows.ENABLED) ? tracing(environment) : null,
                TelemetryRows.isSendingMetrics(environment) ? metrics(environment) : null,
                TelemetryRows.authorities(environment),
                attributes(environment));
    }

    private static Tracing tracing(Environment environment) {
        boolean isGrpc = environment.read(TelemetryRows.TRACING_PROTOCOL);
        return new Tracing(
                environment.read(TelemetryRows.SAMPLING_RATE),
                TelemetryRows.collector(environment, isGrpc, TelemetryRows.TRACES));
    }

    private static Metrics metrics(Environment environment) {
        boolean isGrpc = environment.read(TelemetryRows.PROTOCOL);
        return new Metrics(
                Duration.ofMillis(environment.read(TelemetryRows.INTERVAL)),
                TelemetryRows.collector(environment, isGrpc, TelemetryRows.METRICS));
    }

    private static Map<String, String> attributes(Environment environment) {
        var attributes = new LinkedHashMap<>(environment.read(TelemetryRows.ATTRIBUTES));
        String instance = environment.read(TelemetryRows.SERVICE_INSTANCE_ID);
        String name = environment.read(TelemetryRows.SERVICE_NAME);
        attributes.put("service.name", name.isEmpty() ? "RateLimit" : name);
        put(attributes, "service.namespace", environment.read(TelemetryRows.SERVICE_NAMESPACE), "");
        put(attributes, "service.instance.id", instance, UUID.randomUUID().toString());
        return attributes;
    }

    /** The own variable wins, if it says something; what neither says has a default. */
    private static void put(Map<String, String> attributes, String name, String own, String otherwise) {
        if (own.isEmpty()) {
            attributes.putIfAbsent(name, otherwise);
        } else {
            attributes.put(name, own);
        }
    }
}
