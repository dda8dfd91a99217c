package dev.weir.bench;

import java.util.List;

/**
 * A load on a service that is started for it.
 *
 * @param name for the table
 * @param isOnRedis whether counts are kept in Redis and not in memory
 * @param load what is asked
 */
record Scenario(String name, boolean isOnRedis, Load load) {
    private static final int MANY = 100_000;
    private static final int HOT = 1;

    /** Returns the scenarios of {@code make bench}. */
    static List<Scenario> standard() {
        return List.of(
                new Scenario("Redis, uniform", true, Load.closed(MANY)),
                new Scenario("Redis, hot key", true, Load.closed(HOT)),
                new Scenario(
                        "Redis, hot key over its limit", true, Load.closed(HOT).overLimit()),
                new Scenario("memory, uniform", false, Load.closed(MANY)),
                new Scenario("Redis, uniform, 5,000/s", true, Load.open(5_000, MANY)),
                new Scenario("Redis, uniform, 20,000/s", true, Load.open(20_000, MANY)));
    }
}
