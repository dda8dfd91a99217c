package dev.weir.settings;

import dev.weir.settings.otlp.TelemetrySettings;
import dev.weir.settings.redis.RedisSettings;
import dev.weir.settings.table.Environment;
import dev.weir.settings.table.SettingsException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How to run, read once at start. None of it changes while the process lives.
 *
 * @param servers where to listen
 * @param grpc what holds for callers over gRPC
 * @param logging what the log says
 * @param ruleFiles where the rules are
 * @param xds where rules come from in place of files; of use only if they do
 * @param answering what answers look like
 * @param backend where counts live
 * @param redis how to reach Redis; of use only if counts live there
 * @param redisPerSecond how to reach the Redis of limits whose window is one second; null if they have none of their own
 * @param bounds how large a request may be
 * @param metrics what is counted, and who is told
 * @param telemetry what collectors of OpenTelemetry are told
 * @param life how the service starts, lives and ends
 * @param isInKubernetes whether this is a container of Kubernetes, where an assumed backend deserves a warning
 * @param ignored variables of the Go service that are set and change nothing here, for one line at start
 * @param pardoned what is wrong with variables whose feature is off, each for a line at start
 * @param remarks on variables that do less than they say, each for a line at start
 */
public record Settings(
        Servers servers,
        GrpcSettings grpc,
        Logging logging,
        RuleFilesSettings ruleFiles,
        XdsSettings xds,
        AnswerSettings answering,
        Backend backend,
        RedisSettings redis,
        @Nullable RedisSettings redisPerSecond,
        RequestBounds bounds,
        MetricsSettings metrics,
        TelemetrySettings telemetry,
        Life life,
        boolean isInKubernetes,
        List<String> ignored,
        List<String> pardoned,
        List<String> remarks) {

    public Settings {
        ignored = List.copyOf(ignored);
        pardoned = List.copyOf(pardoned);
        remarks = List.copyOf(remarks);
    }

    /**
     * Reads the settings from the environment. Names that are in no table change nothing, for Kubernetes sets many; one that is
     * nearly one of ours is remarked.
     *
     * @throws SettingsException with every mistake that there is in what is used
     */
    public static Settings read(Map<String, String> variables) throws SettingsException {
        var environment = SettingsTable.read(variables);
        var settings = new Settings(
                Servers.of(environment),
                GrpcSettings.of(environment),
                Logging.of(environment),
                RuleFilesSettings.of(environment),
                XdsSettings.of(environment),
                AnswerSettings.of(environment),
                Backend.of(environment),
                RedisSettings.of(environment),
                RedisSettings.ofPerSecond(environment),
                RequestBounds.of(environment),
                MetricsSettings.of(environment),
                TelemetrySettings.of(environment),
                Life.of(environment),
                environment.isSet("KUBERNETES_SERVICE_HOST"),
                UnusedSettings.NAMES.stream().filter(environment::isSet).toList(),
                environment.pardon(Features.off(environment)), // behind the others, for files are read only above
                remarks(environment));
        environment.throwMistakes();
        return settings;
    }

    /**
     * Reads the settings of an engine in somebody's process: what concerns ports, the log and the life of a process is not read, for names
     * like {@code PORT} and {@code LOG_LEVEL} may be the application's own.
     *
     * @throws SettingsException as above
     */
    public static Settings readWithin(Map<String, String> variables) throws SettingsException {
        var own = new HashMap<>(variables);
        own.keySet().removeAll(SettingsTable.namesOfProcess());
        own.keySet()
                .removeAll(Set.of("USE_PROMETHEUS", "TRACING_ENABLED")); // a port, and calls from service to service
        return read(own);
    }

    /** Returns whether a name means something to Weir. */
    public static boolean isKnown(String name) {
        return SettingsTable.names().contains(name) || StatsdRows.isOfMogrifier(name);
    }

    private static List<String> remarks(Environment environment) {
        return Stream.concat(
                        environment.remarks().stream(),
                        Misspelt.remarks(environment.names(), SettingsTable.names()).stream())
                .toList();
    }
}
