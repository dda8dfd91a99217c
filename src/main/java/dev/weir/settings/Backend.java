package dev.weir.settings;

import dev.weir.settings.table.Environment;
import dev.weir.settings.table.Kind;
import dev.weir.settings.table.Rows;
import dev.weir.settings.table.Setting;
import dev.weir.settings.table.Setting.Group;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * Where counts live.
 *
 * @param type the store
 * @param isAssumed whether nobody said so: {@code BACKEND_TYPE} is not set, and the store was chosen by what is
 * @param passedOver variables of Redis that are set although counts live in memory
 * @param timeout how long the store may take for one answer
 * @param overLimitBytes room for remembering counters of Redis that are over; 0 for none, empty if nobody said so
 * @param maxMemoryCounters how many counters the memory store keeps at most
 */
public record Backend(
        Type type,
        boolean isAssumed,
        List<String> passedOver,
        Duration timeout,
        OptionalLong overLimitBytes,
        int maxMemoryCounters) {
    private static final Rows ROWS = new Rows(Group.BACKEND);

    private static final Setting<String> BACKEND_TYPE = ROWS.add(
            "BACKEND_TYPE",
            "",
            Kind.word(List.of("redis", "memory", ""), List.of("memcache"), word -> word),
            "`redis` counts for all replicas together, `memory` for this process alone. Not set: `redis` if a variable of"
                    + " Redis is set, else `memory`; the log says so.");
    private static final Setting<Duration> STORE_TIMEOUT = ROWS.add(
            "STORE_TIMEOUT",
            "15ms",
            Kind.duration(Duration.ofMillis(1), Duration.ofMinutes(1)),
            "How long the store may take for an answer; never beyond the caller's own deadline.");
    private static final Setting<OptionalLong> LOCAL_CACHE_SIZE_IN_BYTES = ROWS.add(
            "LOCAL_CACHE_SIZE_IN_BYTES",
            "",
            Kind.BYTES,
            "Room for remembering which counters in Redis are over their limit, so that they are refused without asking it;"
                    + " 0 or less: none. Not set: a twentieth of the heap; never more than a quarter of it.");
    private static final Setting<Integer> MEMORY_MAX_COUNTERS = ROWS.add(
            "MEMORY_MAX_COUNTERS", "1000000", Kind.number(1, 100_000_000), "How many counters `memory` keeps at most.");

    public Backend {
        passedOver = List.copyOf(passedOver);
    }

    static List<Setting<?>> rows() {
        return ROWS.all();
    }

    /** The stores that there are. */
    public enum Type {
        /** Shared by all replicas. */
        REDIS,
        /** Of this process alone. */
        MEMORY
    }

    static Backend of(Environment environment) {
        String named = environment.read(BACKEND_TYPE);
        List<String> ofRedis = SettingsTable.ofRedis(environment);
        Type type = switch (named) {
            case "redis" -> Type.REDIS;
            case "memory" -> Type.MEMORY;
            default -> ofRedis.isEmpty() ? Type.MEMORY : Type.REDIS;
        };
        return new Backend(
                type,
                named.isEmpty(),
                type == Type.MEMORY ? ofRedis : List.of(),
                environment.read(STORE_TIMEOUT),
                environment.read(LOCAL_CACHE_SIZE_IN_BYTES),
                environment.read(MEMORY_MAX_COUNTERS));
    }
}
