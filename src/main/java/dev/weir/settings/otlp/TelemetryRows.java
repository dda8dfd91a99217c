package dev.weir.settings.otlp;

import dev.weir.settings.table.Environment;
import dev.weir.settings.table.Feature;
import dev.weir.settings.table.Kind;
import dev.weir.settings.table.Rows;
import dev.weir.settings.table.Setting;
import dev.weir.settings.table.Setting.Group;
import dev.weir.telemetry.Collector;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The variables of traces and of metrics that are sent: the Go service's own, and those that OpenTelemetry defines. */
final class TelemetryRows {
    private static final Kind<Integer> MILLIS = Kind.number(1, 86_400_000);
    private static final Kind<String> ADDRESS = Kind.of(
            "`http://host:port` or `https://host:port` (no `_` in the host), with or without a path, or nothing",
            TelemetryRows::address);
    private static final String OTLP = "otlp";
    private static final Rows ROWS = new Rows(Group.TELEMETRY);
    private static final Rows OF_TRACING = ROWS.of(Feature.TRACING);
    private static final Rows OF_METRICS = ROWS.of(Feature.OTLP_METRICS);
    private static final Rows OF_BOTH = ROWS.of(Feature.TELEMETRY);

    static final Setting<Boolean> ENABLED = ROWS.add(
            "TRACING_ENABLED", "false", Kind.SWITCH, "Send a span for each call of ShouldRateLimit that is sampled.");
    static final Setting<Boolean> TRACING_PROTOCOL = OF_TRACING.add(
            "TRACING_EXPORTER_PROTOCOL",
            "http",
            Kind.word(List.of("http", "grpc", ""), List.of(), "grpc"::equals),
            "How; nothing is `http`.");
    static final Setting<Double> SAMPLING_RATE = OF_TRACING.add(
            "TRACING_SAMPLING_RATE",
            "1",
            Kind.of("a number", TelemetryRows::number),
            "The share of the calls that is sampled where the caller is not traced: from 1 on all, from 0 down none. A caller"
                    + " that is traced says it for its calls.");
    static final Setting<String> SERVICE_NAME =
            OF_BOTH.add("TRACING_SERVICE_NAME", "RateLimit", Kind.TEXT, "Who tells, for the metrics too.");
    static final Setting<String> SERVICE_NAMESPACE = OF_BOTH.add(
            "TRACING_SERVICE_NAMESPACE",
            "",
            Kind.TEXT,
            "Of which group; nothing is that of `OTEL_RESOURCE_ATTRIBUTES`.");
    static final Setting<String> SERVICE_INSTANCE_ID = OF_BOTH.add(
            "TRACING_SERVICE_INSTANCE_ID",
            "",
            Kind.TEXT,
            "Which of its replicas; nothing is that of `OTEL_RESOURCE_ATTRIBUTES`, or a random one.");
    static final Setting<Map<String, String>> ATTRIBUTES =
            OF_BOTH.add("OTEL_RESOURCE_ATTRIBUTES", "", Pairs.ANY, "More about who tells.");
    /**
     * Of the feature that it turns on: a word for another exporter leaves ours off, and is only told. So is a word that nobody
     * knows, as OpenTelemetry asks for it.
     */
    private static final Setting<List<String>> METRICS_EXPORTER = OF_METRICS.add(
            "OTEL_METRICS_EXPORTER",
            "none",
            Kind.of("`none` or `otlp`, or a list with `otlp` in it", TelemetryRows::exporters)
                    .orNothing("none"),
            "`otlp`: send what Prometheus would read. What a list names besides, with commas between, is a warning in the"
                    + " log.");

    static final Setting<Integer> INTERVAL = OF_METRICS.add(
            "OTEL_METRIC_EXPORT_INTERVAL", "60000", MILLIS.orNothing("60000"), "How often, in milliseconds.");
    static final Setting<Boolean> PROTOCOL = OF_METRICS.add(
            "OTEL_EXPORTER_OTLP_PROTOCOL",
            "http/protobuf",
            Kind.word(List.of("http/protobuf", "grpc"), List.of(), "grpc"::equals)
                    .orNothing("http/protobuf"),
            "How metrics are sent.");
    private static final Setting<String> ENDPOINT = OF_BOTH.add(
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "",
            ADDRESS,
            "Where the collector listens; nothing is `http://localhost:4318`, over gRPC `http://localhost:4317`. Over HTTP"
                    + " `/v1/traces` or `/v1/metrics` is added.");
    private static final Setting<Map<String, String>> HEADERS =
            OF_BOTH.add("OTEL_EXPORTER_OTLP_HEADERS", "", Pairs.HEADERS, "Sent along. A secret.");
    private static final Setting<Integer> TIMEOUT = OF_BOTH.add(
            "OTEL_EXPORTER_OTLP_TIMEOUT",
            "10000",
            MILLIS.orNothing("10000"),
            "How long sending may take, in milliseconds.");
    private static final Setting<Boolean> COMPRESSION = OF_BOTH.add(
            "OTEL_EXPORTER_OTLP_COMPRESSION",
            "none",
            Kind.word(List.of("none", "gzip"), List.of(), "gzip"::equals).orNothing("none"),
            "How what is sent is packed.");
    private static final Setting<Path> CERTIFICATE = OF_BOTH.add(
            "OTEL_EXPORTER_OTLP_CERTIFICATE",
            "",
            Kind.PATH,
            "Who may have signed the collector's certificate, a PEM file. Empty: those whom Java trusts.");

    static final Signal TRACES = new Signal(OF_TRACING, "TRACES", "traces");
    static final Signal METRICS = new Signal(OF_METRICS, "METRICS", "metrics");

    private TelemetryRows() {}

    static List<Setting<?>> all() {
        return ROWS.all();
    }

    /** The variables that one kind of what is sent has for itself; they win over those of both. */
    static final class Signal {
        private final String word;
        private final Setting<String> endpoint;
        private final Setting<Map<String, String>> headers;

        private Signal(Rows rows, String prefix, String word) {
            this.word = word;
            endpoint = rows.add(
                    "OTEL_EXPORTER_OTLP_" + prefix + "_ENDPOINT",
                    "",
                    ADDRESS,
                    "Where " + word + " go instead; nothing is added.");
            headers = rows.add(
                    "OTEL_EXPORTER_OTLP_" + prefix + "_HEADERS",
                    "",
                    Pairs.HEADERS,
                    "Sent along with " + word + " instead. A secret.");
        }
    }

    static Collector collector(Environment environment, boolean isGrpc, Signal signal) {
        String own = environment.read(signal.endpoint);
        Map<String, String> headers = environment.read(signal.headers);
        return new Collector(
                isGrpc,
                own.isEmpty() ? both(environment.read(ENDPOINT), isGrpc, signal) : URI.create(own),
                headers.isEmpty() ? environment.read(HEADERS) : headers,
                environment.read(COMPRESSION),
                Duration.ofMillis(environment.read(TIMEOUT)),
                null);
    }

    static @Nullable Path authorities(Environment environment) {
        Path authorities = environment.read(CERTIFICATE);
        return authorities.toString().isEmpty() ? null : authorities;
    }

    private static URI both(String endpoint, boolean isGrpc, Signal signal) {
        if (isGrpc) {
            return URI.create(endpoint.isEmpty() ? "http://localhost:4317" : endpoint);
        }
        String address = endpoint.isEmpty() ? "http://localhost:4318" : endpoint;
        return URI.create(address + (address.endsWith("/") ? "v1/" : "/v1/") + signal.word);
    }

    /** The words of a list, or none for no exporter; a list of others only is wrong. */
    private static @Nullable List<String> exporters(String text) {
        var words = Arrays.stream(text.toLowerCase(Locale.ROOT).split(",", -1))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .distinct()
                .toList();
        if (words.contains(OTLP)) {
            return words;
        }
        return words.isEmpty() || words.equals(List.of("none")) ? List.of() : null;
    }

    /** Returns whether metrics are sent, and remarks on exporters that OpenTelemetry has and Weir has not. */
    static boolean isSendingMetrics(Environment environment) {
        var words = environment.read(METRICS_EXPORTER);
        String others = words.stream()
                .filter(word -> !word.equals(OTLP))
                .map(word -> "`" + word + "`")
                .collect(Collectors.joining(", "));
        if (!others.isEmpty()) {
            environment.remark(METRICS_EXPORTER, "metrics are sent by `otlp` alone, and not by " + others);
        }
        return !words.isEmpty();
    }

    private static @Nullable String address(String text) {
        if (text.isEmpty()) {
            return text;
        }
        try {
            URI uri = URI.create(text);
            boolean isKnown = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            boolean isPort = uri.getPort() == -1 || (uri.getPort() >= 1 && uri.getPort() <= 65_535);
            boolean isBare = uri.getUserInfo() == null && uri.getQuery() == null && uri.getFragment() == null;
            return isKnown && uri.getHost() != null && isPort && isBare ? text : null;
        } catch (IllegalArgumentException _) {
            return null; // the kind says what is allowed
        }
    }

    private static @Nullable Double number(String text) {
        try {
            double number = Double.parseDouble(text);
            return Double.isNaN(number) ? null : number;
        } catch (NumberFormatException _) {
            return null; // the kind says what is allowed
        }
    }
}
