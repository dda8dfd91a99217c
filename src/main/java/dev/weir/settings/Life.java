package dev.weir.settings;

import dev.weir.settings.table.Environment;
import dev.weir.settings.table.Kind;
import dev.weir.settings.table.Rows;
import dev.weir.settings.table.Setting;
import dev.weir.settings.table.Setting.Group;
import java.time.Duration;
import java.util.List;

/**
 * How the service starts, lives and ends.
 *
 * @param health when it says that it is well
 * @param drain how it ends
 * @param warmUp for how long the service asks itself before it says that it is well; zero for not at all
 * @param isHinting whether the start says how to try the service
 */
public record Life(Health health, Drain drain, Duration warmUp, boolean isHinting) {
    private static final Kind<Duration> UP_TO_AN_HOUR = Kind.duration(Duration.ZERO, Duration.ofHours(1));
    private static final Rows ROWS = new Rows(Group.LIFE);

    private static final Setting<Boolean> FORCE_START_WITHOUT_INITIAL_CONFIG = ROWS.add(
            "FORCE_START_WITHOUT_INITIAL_CONFIG",
            "false",
            Kind.SWITCH,
            "Be healthy before a control plane has sent rules for the first time. Ports are open in any case.");
    private static final Setting<Boolean> HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED = ROWS.add(
            "HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED",
            "false",
            Kind.SWITCH,
            "Be unhealthy until rules of a domain are loaded.");
    private static final Setting<Duration> WARM_UP = ROWS.add(
            "WARM_UP",
            "1s",
            Kind.duration(Duration.ZERO, Duration.ofMinutes(1)),
            "How long to answer requests of its own at start, still unhealthy, so that the first ones of others are"
                    + " answered as fast as later ones; up to three times as long on a busy machine. `0s`: not at all.");
    private static final Setting<Duration> DRAIN_DELAY =
            ROWS.add("DRAIN_DELAY", "5s", UP_TO_AN_HOUR, "How long to answer on after SIGTERM, already unhealthy.");
    private static final Setting<Duration> DRAIN_TIMEOUT =
            ROWS.add("DRAIN_TIMEOUT", "30s", UP_TO_AN_HOUR, "How long requests under way may then take to end.");
    private static final Setting<Boolean> WEIR_HINTS =
            ROWS.add("WEIR_HINTS", "false", Kind.SWITCH, "Say at start how to try the service; `make run` sets it.");

    /**
     * What must hold for the service to say that it is well, beside having reached its store once.
     *
     * @param needsWord rules were seen once, good or bad; of files that is so from the start
     * @param needsRules rules of a domain are in force
     * @param needsConnection there is a connection to Redis now
     */
    public record Health(boolean needsWord, boolean needsRules, boolean needsConnection) {}

    /**
     * How the service ends.
     *
     * @param delay how long it answers on after the signal, already unhealthy
     * @param timeout how long requests under way may then take
     */
    public record Drain(Duration delay, Duration timeout) {}

    static List<Setting<?>> rows() {
        return ROWS.all();
    }

    static Life of(Environment environment) {
        return new Life(
                new Health(
                        !environment.read(FORCE_START_WITHOUT_INITIAL_CONFIG),
                        environment.read(HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED),
                        environment.read(RedisRows.REDIS_HEALTH_CHECK_ACTIVE_CONNECTION)),
                new Drain(environment.read(DRAIN_DELAY), environment.read(DRAIN_TIMEOUT)),
                environment.read(WARM_UP),
                environment.read(WEIR_HINTS));
    }
}
