package dev.weir.settings;

import dev.weir.metrics.statsd.StatsdOptions;
import dev.weir.settings.table.Environment;
import dev.weir.settings.table.Feature;
import dev.weir.settings.table.HostPort;
import dev.weir.settings.table.Kind;
import dev.weir.settings.table.Rows;
import dev.weir.settings.table.Setting;
import dev.weir.settings.table.Setting.Group;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is counted, and who is told.
 *
 * @param nearRatio the share of a limit from which on hits are near it
 * @param maxSeries how many series callers may make by their values
 * @param prometheus how Prometheus reads the counts, or null if it does not
 * @param statsd who else is told
 */
public record MetricsSettings(
        float nearRatio, int maxSeries, @Nullable Prometheus prometheus, List<StatsdOptions> statsd) {
    private static final Rows ROWS = new Rows(Group.METRICS);
    private static final Rows OF_PROMETHEUS = ROWS.of(Feature.PROMETHEUS);

    private static final Setting<Float> NEAR_LIMIT_RATIO = ROWS.add(
            "NEAR_LIMIT_RATIO",
            "0.8",
            Kind.of("a number from 0 up", MetricsSettings::ratio),
            "The share of a limit from which on hits count as `near_limit`; above 1 none does.");
    private static final Setting<Integer> METRICS_MAX_SERIES = ROWS.add(
            "METRICS_MAX_SERIES",
            "10000",
            Kind.number(0, 10_000_000),
            "How many series callers may make by their values (`detailed_metric`, `value_to_metric`, limits sent along,"
                    + " unknown domains); hits of further ones go to `other`.");
    private static final Setting<Boolean> DISABLE_STATS = ROWS.add(
            "DISABLE_STATS",
            "false",
            Kind.SWITCH,
            "Neither Prometheus nor statsd nor DogStatsD is told, whatever the variables below say;"
                    + " `OTEL_METRICS_EXPORTER` is.");
    private static final Setting<Boolean> USE_PROMETHEUS =
            ROWS.add("USE_PROMETHEUS", "false", Kind.SWITCH, "Let Prometheus read the counts, on a port of its own.");
    private static final Setting<HostPort> PROMETHEUS_ADDR =
            OF_PROMETHEUS.add("PROMETHEUS_ADDR", ":9090", HostPort.KIND, "Where; without a host on every address.");
    private static final Setting<String> PROMETHEUS_PATH = OF_PROMETHEUS.add(
            "PROMETHEUS_PATH",
            "/metrics",
            Kind.of("a path that begins with `/`, or nothing", MetricsSettings::path),
            "Under which path.");
    private static final Setting<String> PROMETHEUS_MAPPER_YAML = OF_PROMETHEUS.add(
            "PROMETHEUS_MAPPER_YAML",
            "",
            Kind.TEXT,
            "A file that maps names for the Go service. Weir gives the names of the default mapping; a file that gives"
                    + " others stops the start, what else it says (buckets, other matches) is a warning, and one that is not there"
                    + " is passed over.");
    private static final Setting<Boolean> PROMETHEUS_RESPONSE_TIME_AS_MILLISECONDS = OF_PROMETHEUS.add(
            "PROMETHEUS_RESPONSE_TIME_AS_MILLISECONDS",
            "false",
            Kind.SWITCH,
            "Give `ratelimit_service_response_time_seconds` in milliseconds, as the Go service once did.");

    /**
     * How Prometheus reads the counts.
     *
     * @param listener where
     * @param path the path of the page
     * @param mapper a file with mappings, or null
     * @param isInMilliseconds whether response times are in milliseconds
     */
    public record Prometheus(
            Servers.Listener listener,
            String path,
            @Nullable Path mapper,
            boolean isInMilliseconds) {}

    static List<Setting<?>> rows() {
        return ROWS.all();
    }

    static MetricsSettings of(Environment environment) {
        boolean isTelling = !environment.read(DISABLE_STATS);
        boolean isReadByPrometheus = isTelling && environment.read(USE_PROMETHEUS);
        return new MetricsSettings(
                environment.read(NEAR_LIMIT_RATIO),
                environment.read(METRICS_MAX_SERIES),
                isReadByPrometheus ? prometheus(environment) : null,
                isTelling ? StatsdRows.of(environment, isReadByPrometheus) : List.of());
    }

    private static Prometheus prometheus(Environment environment) {
        HostPort address = environment.read(PROMETHEUS_ADDR);
        String mapper = environment.read(PROMETHEUS_MAPPER_YAML);
        return new Prometheus(
                new Servers.Listener(address.host().isEmpty() ? "0.0.0.0" : address.host(), address.port()),
                environment.read(PROMETHEUS_PATH),
                mapper.isEmpty() ? null : Path.of(mapper),
                environment.read(PROMETHEUS_RESPONSE_TIME_AS_MILLISECONDS));
    }

    private static @Nullable Float ratio(String text) {
        try {
            float ratio = Float.parseFloat(text);
            return ratio >= 0 && Float.isFinite(ratio) ? Float.valueOf(ratio) : null;
        } catch (NumberFormatException _) {
            return null; // the kind says what is allowed
        }
    }

    private static @Nullable String path(String text) {
        if (text.isEmpty()) {
            return "/metrics"; // as the Go service takes it
        }
        return text.startsWith("/") ? text : null;
    }
}
