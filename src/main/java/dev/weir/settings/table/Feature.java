package dev.weir.settings.table;

/** What a variable is for. Where that is off its text changes nothing, so what is wrong with it stops no start. */
public enum Feature {
    /** The service as such, which is never off. */
    SERVICE("there is no service"),
    HEADERS("answers have no headers (`LIMIT_RESPONSE_HEADERS_ENABLED`)"),
    XDS("rules come from files (`CONFIG_TYPE`)"),
    REDIS("counts live in memory (`BACKEND_TYPE`)"),
    REDIS_PER_SECOND("limits per second have no Redis of their own (`REDIS_PERSECOND`, `BACKEND_TYPE`)"),
    PROMETHEUS("Prometheus does not read the counts (`USE_PROMETHEUS`, `DISABLE_STATS`)"),
    STATSD("statsd is not told (`USE_STATSD`, `DISABLE_STATS`)"),
    DOG_STATSD("DogStatsD is not told (`USE_DOG_STATSD`, `DISABLE_STATS`)"),
    EITHER_STATSD("neither statsd nor DogStatsD is told (`USE_STATSD`, `USE_DOG_STATSD`, `DISABLE_STATS`)"),
    TRACING("no spans are sent (`TRACING_ENABLED`)"),
    OTLP_METRICS("no metrics are sent to a collector (`OTEL_METRICS_EXPORTER` is not `otlp`)"),
    /** What spans and metrics have in common. */
    TELEMETRY("nothing is sent to a collector (`TRACING_ENABLED`, `OTEL_METRICS_EXPORTER`)");

    private final String whyOff;

    Feature(String whyOff) {
        this.whyOff = whyOff;
    }

    /** Returns what is so where it is off, and because of which variables. */
    String whyOff() {
        return whyOff;
    }
}
