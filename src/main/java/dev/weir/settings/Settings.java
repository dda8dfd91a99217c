package dev.weir.settings;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How to run, read once at start. None of it changes while the process lives.
 *
 * @param servers where to listen
 * @param logging what the log says
 * @param ruleFiles where the rules are
 * @param answering what answers look like
 * @param backend where counts live
 * @param redis how to reach Redis; of use only if counts live there
 * @param bounds how large a request may be
 * @param health when the service says that it is well
 * @param drain how the service ends
 * @param isHinting whether start says how to try the service
 * @param isInKubernetes whether this is a container of Kubernetes, where an assumed backend deserves a warning
 * @param ignored variables of the Go service that are set and change nothing here, for one line at start
 */
public record Settings(
        Servers servers,
        Logging logging,
        RuleFilesSettings ruleFiles,
        Answering answering,
        Backend backend,
        RedisSettings redis,
        Bounds bounds,
        Health health,
        Drain drain,
        boolean isHinting,
        boolean isInKubernetes,
        List<String> ignored) {

    public Settings {
        ignored = List.copyOf(ignored);
    }

    /**
     * Where to listen.
     *
     * @param http {@code /json} and {@code /healthcheck}
     * @param grpc the rate limit service
     * @param debug what only operators should see
     */
    public record Servers(Listener http, Listener grpc, Listener debug) {}

    /**
     * An address to listen on.
     *
     * @param host a name or an address; {@code 0.0.0.0} and {@code ::} are every one
     * @param port 0 for any free one, to 65535
     */
    public record Listener(String host, int port) {

        private static Listener of(Environment environment, Setting<String> host, Setting<Integer> port) {
            String name = environment.read(host);
            return new Listener(name.isEmpty() ? "0.0.0.0" : name, environment.read(port));
        }
    }

    /**
     * How large a request may be.
     *
     * @param maxDescriptors descriptors of a request
     * @param maxEntries entries of a descriptor
     * @param maxMessageBytes bytes of a request
     * @param maxHits hits of a descriptor
     */
    public record Bounds(int maxDescriptors, int maxEntries, int maxMessageBytes, int maxHits) {}

    /**
     * What must hold for the service to say that it is well, beside having reached its store once.
     *
     * @param needsRules rules of a domain are in force
     * @param needsConnection there is a connection to Redis now
     */
    public record Health(boolean needsRules, boolean needsConnection) {}

    /**
     * How the service ends.
     *
     * @param delay how long it answers on after the signal, already unhealthy
     * @param timeout how long requests under way may then take
     */
    public record Drain(Duration delay, Duration timeout) {}

    /**
     * Reads the settings from the environment. Names that are in no table are not looked at: Kubernetes sets many.
     *
     * @throws SettingsException with every mistake that there is
     */
    public static Settings read(Map<String, String> variables) throws SettingsException {
        var environment = SettingsTable.check(variables);
        return new Settings(
                new Servers(
                        Listener.of(environment, SettingsTable.HOST, SettingsTable.PORT),
                        Listener.of(environment, SettingsTable.GRPC_HOST, SettingsTable.GRPC_PORT),
                        Listener.of(environment, SettingsTable.DEBUG_HOST, SettingsTable.DEBUG_PORT)),
                Logging.of(environment),
                RuleFilesSettings.of(environment),
                Answering.of(environment),
                Backend.of(environment),
                RedisSettings.of(environment),
                new Bounds(
                        environment.read(SettingsTable.MAX_DESCRIPTORS),
                        environment.read(SettingsTable.MAX_ENTRIES),
                        environment.read(SettingsTable.MAX_MESSAGE_BYTES),
                        environment.read(SettingsTable.MAX_HITS)),
                new Health(
                        environment.read(SettingsTable.HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED),
                        environment.read(SettingsTable.REDIS_HEALTH_CHECK_ACTIVE_CONNECTION)),
                new Drain(environment.read(SettingsTable.DRAIN_DELAY), environment.read(SettingsTable.DRAIN_TIMEOUT)),
                environment.read(SettingsTable.WEIR_HINTS),
                environment.isSet("KUBERNETES_SERVICE_HOST"),
                environment.unused());
    }
}
