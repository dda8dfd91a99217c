package dev.weir.settings.redis;

import dev.weir.settings.table.Environment;
import dev.weir.settings.table.Feature;
import dev.weir.settings.table.Kind;
import dev.weir.settings.table.Rows;
import dev.weir.settings.table.Setting;
import dev.weir.settings.table.Setting.Group;
import java.util.List;
import java.util.stream.Stream;

/** The variables that tell where Redis is and how it is used. */
public final class RedisRows {
    private static final Rows ROWS = new Rows(Group.REDIS).of(Feature.REDIS);

    static final RedisServerRows FIRST = new RedisServerRows(ROWS, "REDIS_", "/var/run/nutcracker/ratelimit.sock");
    static final RedisTlsRows TLS = new RedisTlsRows(ROWS);
    /** Not of Redis alone: it decides about the health of the service. */
    public static final Setting<Boolean> REDIS_HEALTH_CHECK_ACTIVE_CONNECTION = ROWS.add(
            "REDIS_HEALTH_CHECK_ACTIVE_CONNECTION",
            "false",
            Kind.SWITCH,
            "Be unhealthy while there is no connection to Redis.");

    static final Setting<String> CACHE_KEY_PREFIX =
            ROWS.add("CACHE_KEY_PREFIX", "", Kind.KEY_PREFIX, "What the key of every counter begins with.");
    static final Setting<Integer> REDIS_HASH_TAGS = ROWS.add(
            "REDIS_HASH_TAGS",
            "16",
            Kind.POWER_OF_TWO_TO_4096,
            "Into how many hash tags counters are spread. Another number starts every counter anew.");
    static final Setting<Integer> REDIS_IN_FLIGHT = ROWS.add(
            "REDIS_IN_FLIGHT",
            "4",
            Kind.number(1, 8),
            "How many batches each thread may have under way to one node; in a cluster, what goes by the script is counted"
                    + " for each hash tag by itself.");

    private static final Rows PER_SECOND_ROWS = new Rows(Group.REDIS_PER_SECOND).of(Feature.REDIS);

    static final Setting<Boolean> REDIS_PERSECOND = PER_SECOND_ROWS.add(
            "REDIS_PERSECOND",
            "false",
            Kind.SWITCH,
            "Keep the counters of limits whose window is one second in a Redis of their own.");
    static final RedisServerRows PER_SECOND = new RedisServerRows(
            PER_SECOND_ROWS.of(Feature.REDIS_PER_SECOND),
            "REDIS_PERSECOND_",
            "/var/run/nutcracker/ratelimitpersecond.sock");

    private RedisRows() {}

    /** Returns the rows in the order of the documentation. */
    public static List<Setting<?>> rows() {
        return Stream.concat(ROWS.all().stream(), PER_SECOND_ROWS.all().stream())
                .<Setting<?>>map(row -> row)
                .toList();
    }

    /** Keeps the mistakes of settings that are right each by itself. */
    public static void check(Environment environment) {
        FIRST.check(environment);
        boolean isPerSecondApart = environment.read(REDIS_PERSECOND);
        if (isPerSecondApart) {
            PER_SECOND.check(environment);
        } else if (environment.isGiven(PER_SECOND.url) && !environment.isGiven(REDIS_PERSECOND)) {
            environment.remark(PER_SECOND.url, "not used, for REDIS_PERSECOND is not set");
        }
        if (!FIRST.isEncrypted(environment) && !(isPerSecondApart && PER_SECOND.isEncrypted(environment))) {
            TLS.remarkUnused(environment);
        }
    }
}
