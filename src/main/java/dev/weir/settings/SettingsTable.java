package dev.weir.settings;

import dev.weir.settings.otlp.TelemetrySettings;
import dev.weir.settings.redis.RedisRows;
import dev.weir.settings.table.Environment;
import dev.weir.settings.table.Setting;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Every variable that is read, once: the reader, the checks and {@code docs/configuration.md} all come from here. The rows
 * stand with what they are read into.
 *
 * <p>None of ours may be called {@code WEIR_..._PORT}, {@code _HOST} or {@code _ADDR}: Kubernetes sets such names for a
 * service called weir.
 */
final class SettingsTable {
    private static final List<Setting<?>> ALL = Stream.of(
                    Servers.rows(),
                    GrpcSettings.rows(),
                    CallerTls.rows(),
                    Logging.rows(),
                    RuleFilesSettings.rows(),
                    XdsSettings.rows(),
                    AnswerSettings.rows(),
                    Backend.rows(),
                    RedisRows.rows(),
                    RequestBounds.rows(),
                    MetricsSettings.rows(),
                    StatsdRows.rows(),
                    TelemetrySettings.rows(),
                    Life.rows())
            .<Setting<?>>flatMap(List::stream)
            .toList();

    private SettingsTable() {}

    /** Returns the rows in the order of the documentation. */
    static List<Setting<?>> all() {
        return ALL;
    }

    /** Reads every row, so that every mistake is found, and those between two rows; none is thrown yet. */
    static Environment read(Map<String, String> variables) {
        var environment = new Environment(variables);
        ALL.forEach(environment::read);
        RedisRows.check(environment);
        XdsSettings.check(environment);
        RuleFilesSettings.check(environment);
        return environment;
    }

    /** Returns the names that mean something to Weir, if only that they are of no use to it. */
    static Set<String> names() {
        var ofStart = Stream.of("JAVA_HOME", "JAVA_OPTS", "WEIR_HEAP", "MALLOC_ARENA_MAX");
        return Stream.of(ALL.stream().map(Setting::name), UnusedSettings.NAMES.stream(), ofStart)
                .flatMap(names -> names)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the names of what concerns ports, the log and the life of a process. */
    static Set<String> namesOfProcess() {
        return Stream.of(Servers.rows(), GrpcSettings.rows(), CallerTls.rows(), Logging.rows(), Life.rows())
                .<Setting<?>>flatMap(List::stream)
                .map(Setting::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns which variables of Redis are set; only names of the tables count, Kubernetes injects others. */
    static List<String> ofRedis(Environment environment) {
        return Stream.concat(ALL.stream().map(Setting::name), UnusedSettings.NAMES.stream())
                .filter(name -> name.startsWith("REDIS_") && environment.isSet(name))
                .toList();
    }
}
