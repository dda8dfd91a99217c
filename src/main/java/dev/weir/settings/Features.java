package dev.weir.settings;

import dev.weir.metrics.statsd.StatsdOptions;
import dev.weir.settings.otlp.TelemetrySettings;
import dev.weir.settings.redis.RedisSettings;
import dev.weir.settings.table.Environment;
import dev.weir.settings.table.Feature;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** Which features are off, so that mistakes in their variables can be pardoned. */
final class Features {
    private Features() {}

    /** Returns those that are off. */
    static Set<Feature> off(Environment environment) {
        return Arrays.stream(Feature.values())
                .filter(feature -> !isOn(feature, environment))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean isOn(Feature feature, Environment environment) {
        return switch (feature) {
            case SERVICE -> true;
            case HEADERS -> AnswerSettings.of(environment).headers().isEnabled();
            case XDS -> XdsSettings.of(environment).isUsed();
            case REDIS -> isInRedis(environment);
            case REDIS_PER_SECOND -> isInRedis(environment) && RedisSettings.ofPerSecond(environment) != null;
            case PROMETHEUS -> MetricsSettings.of(environment).prometheus() != null;
            case STATSD -> MetricsSettings.of(environment).statsd().stream().anyMatch(told -> !told.isDog());
            case DOG_STATSD -> MetricsSettings.of(environment).statsd().stream().anyMatch(StatsdOptions::isDog);
            case EITHER_STATSD -> !MetricsSettings.of(environment).statsd().isEmpty();
            case TRACING -> TelemetrySettings.of(environment).tracing() != null;
            case OTLP_METRICS -> TelemetrySettings.of(environment).metrics() != null;
            case TELEMETRY -> isOn(Feature.TRACING, environment) || isOn(Feature.OTLP_METRICS, environment);
        };
    }

    private static boolean isInRedis(Environment environment) {
        return Backend.of(environment).type() == Backend.Type.REDIS;
    }
}
