package dev.weir.testing;

import java.util.List;

/** What a running service has counted, and what its counters in Redis hold. */
public final class Counts {
    /** A counter of a fixed window keeps its count below the number of the window. */
    private static final long COUNT = (1L << 43) - 1;

    private Counts() {}

    /**
     * Returns the value of a meter.
     *
     * @param name as {@code /stats} shows it, with its tags
     */
    public static long statistic(WeirProcess weir, String name) {
        String beginning = name + ": ";
        return Http.get(weir.debug("/stats"))
                .body()
                .lines()
                .filter(line -> line.startsWith(beginning))
                .mapToLong(line -> Long.parseLong(line.substring(beginning.length())))
                .findFirst()
                .orElseThrow(() -> new AssertionError("there is no meter " + name));
    }

    /** Returns how many hits Redis has counted in the only counter whose key holds {@code word}. */
    public static long counted(RedisServer redis, String word) {
        return Long.parseLong(String.valueOf(redis.command("GET", key(redis, word)))) & COUNT;
    }

    /** Returns the key of the only counter whose key holds {@code word}. */
    public static String key(RedisServer redis, String word) {
        if (!(redis.command("KEYS", "*" + word + "*") instanceof List<?> keys) || keys.size() != 1) {
            throw new AssertionError("Redis keeps no counter of " + word);
        }
        return String.valueOf(keys.getFirst());
    }
}
