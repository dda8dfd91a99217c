package dev.weir.settings;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * Where counts live.
 *
 * @param type the store
 * @param isAssumed whether nobody said so: {@code BACKEND_TYPE} is not set, and the store was chosen by what is
 * @param timeout how long the store may take for one answer
 * @param overLimitBytes room for remembering counters of Redis that are over; 0 for none, empty if nobody said so
 * @param maxMemoryCounters how many counters the memory store keeps at most
 */
public record Backend(
        Type type, boolean isAssumed, Duration timeout, OptionalLong overLimitBytes, int maxMemoryCounters) {

    /** The stores that there are. */
    public enum Type {
        /** Shared by all replicas. */
        REDIS,
        /** Of this process alone. */
        MEMORY
    }

    static Backend of(Environment environment) {
        String named = environment.read(SettingsTable.BACKEND_TYPE);
        Type type = switch (named) {
            case "redis" -> Type.REDIS;
            case "memory" -> Type.MEMORY;
            default -> environment.namesRedis() ? Type.REDIS : Type.MEMORY;
        };
        return new Backend(
                type,
                named.isEmpty(),
                environment.read(SettingsTable.STORE_TIMEOUT),
                environment.read(SettingsTable.LOCAL_CACHE_SIZE_IN_BYTES),
                environment.read(SettingsTable.MEMORY_MAX_COUNTERS));
    }
}
