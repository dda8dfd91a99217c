package dev.weir.store.redis;

import dev.weir.bench.suite.RedisOnPath;
import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.memory.MemoryStore;
import dev.weir.store.redis.plain.ServerClock;
import dev.weir.testing.RespConnection;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The program behind {@code make bench-memory}: bytes that a counter takes in Redis, as {@code MEMORY USAGE} says and as
 * {@code used_memory} grows, and in the memory store, as the heap grows. Keys have 35 bytes, 40 with their hash tag.
 */
final class CounterMemory {
    private static final long NOON = 1_763_726_400_000_000L;
    private static final int HOUR = 3_600;
    private static final long MICROS_OF_AN_HOUR = 3_600_000_000L;
    private static final int CHECKS_OF_A_CALL = 64;
    private static final int SAMPLE = 1_000;

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Pattern USED = Pattern.compile("used_memory:(\\d+)");
    private static final PrintStream OUT = System.out;

    /** By a clock that is set, so that hits spread over a window within a moment. */
    private static final String CLOCK = """
            local function clock()
              return tonumber(redis.call('GET', 'clock'))
            end
            local function lifetime()
              return '36000000'
            end
            """;

    private CounterMemory() {}

    /**
     * A line of the table.
     *
     * @param hits that each counter takes, one at a time, spread evenly over an hour
     * @param hitsOfOne how many of them each check asks for
     * @param counters over which is averaged
     */
    private record Line(String name, Limit limit, int hits, int hitsOfOne, int counters) {}

    private static List<Line> lines() {
        var quota = new Quota(100_000, HOUR);
        return List.of(
                line("`fixed_window`", quota, new Algorithm.FixedWindow(), 1, 50_000),
                line("`sliding_window`", quota, new Algorithm.SlidingWindow(1), 1, 50_000),
                line("`sliding_window`, 6 parts", quota, new Algorithm.SlidingWindow(6), 6, 10_000),
                line("`sliding_window`, 60 parts", quota, new Algorithm.SlidingWindow(60), 60, 10_000),
                line("`sliding_window`, 120 parts", quota, new Algorithm.SlidingWindow(120), 120, 10_000),
                line("`sliding_log`, 1 hit", quota, new Algorithm.SlidingLog(), 1, 50_000),
                line("`sliding_log`, 100 hits", quota, new Algorithm.SlidingLog(), 100, 10_000),
                line("`sliding_log`, 10,000 hits", quota, new Algorithm.SlidingLog(), 10_000, 64),
                line("`token_bucket`, `leaky_bucket`", quota, new Algorithm.TokenBucket(100_000), 1, 50_000),
                line("`gcra`", quota, new Algorithm.Gcra(100_000), 1, 50_000),
                new Line(
                        "`fixed_window` and its lock",
                        new Limit(quota, new Algorithm.FixedWindow(), Charge.ALWAYS, HOUR),
                        1,
                        100_001,
                        50_000));
    }

    private static Line line(String name, Quota quota, Algorithm algorithm, int hits, int counters) {
        return new Line(name, Limit.of(quota, algorithm), hits, 1, counters);
    }

    /** Measures. */
    public static void main(String[] arguments) throws IOException {
        var heaps = new HashMap<Line, Long>(); // first, while nothing else is there
        heapOf(lines().getFirst()); // the first one also pays for classes and what they keep
        for (var line : lines()) {
            heaps.put(line, heapOf(line));
        }
        try (var redis = RedisOnPath.start();
                var calls = new ScriptCalls(redis.port());
                var connection = new RespConnection("127.0.0.1", redis.port(), PATIENCE)) {
            OUT.printf("Redis %s, Java %s%n%n", redis.version(), Runtime.version());
            OUT.println("| counter | Redis, `MEMORY USAGE` | Redis, `used_memory` | memory store |");
            OUT.println("| --- | ---: | ---: | ---: |");
            String sha = calls.load(Script.of(CLOCK, ServerClock.production()).text());
            for (var line : lines()) {
                connection.ask("FLUSHALL");
                connection.ask("SET", "clock", "0");
                long before = used(connection);
                fill(line, sha, calls, connection);
                OUT.printf(
                        Locale.ROOT,
                        "| %s | %,d | %,d | %,d |%n",
                        line.name,
                        usage(line, connection),
                        (used(connection) - before) / line.counters,
                        heaps.get(line));
            }
        }
    }

    private static long instant(Line line, int hit) {
        return NOON + MICROS_OF_AN_HOUR / line.hits * hit;
    }

    private static Check check(Line line, int counter) {
        return Check.of(ScriptLoad.key(counter), line.limit, line.hitsOfOne);
    }

    private static void fill(Line line, String sha, ScriptCalls calls, RespConnection connection) throws IOException {
        List<String[]> all = IntStream.iterate(0, first -> first < line.counters, first -> first + CHECKS_OF_A_CALL)
                .mapToObj(first -> ScriptCalls.call(
                        sha,
                        IntStream.range(first, Math.min(line.counters, first + CHECKS_OF_A_CALL))
                                .mapToObj(counter -> Plan.of(List.of(check(line, counter))))
                                .toList()))
                .toList();
        for (int hit = 0; hit < line.hits; hit++) {
            connection.ask("SET", "clock", Long.toString(instant(line, hit)));
            calls.microsOf(all, all.size());
        }
    }

    private static long used(RespConnection connection) throws IOException {
        var used = USED.matcher(String.valueOf(connection.ask("INFO", "memory")));
        if (!used.find()) {
            throw new IllegalStateException("Redis does not say how much memory it uses");
        }
        return Long.parseLong(used.group(1));
    }

    private static long usage(Line line, RespConnection connection) throws IOException {
        int sample = Math.min(SAMPLE, line.counters);
        long sum = 0;
        for (int i = 0; i < sample; i++) {
            byte[] key = ScriptCalls.redisKey(ScriptLoad.key(i));
            sum += bytes(connection, key);
            if (line.limit.blockSeconds() > 0) {
                sum += bytes(connection, HashTags.lockKey(key));
            }
        }
        return sum / sample;
    }

    private static long bytes(RespConnection connection, byte[] key) throws IOException {
        return connection.ask("MEMORY", "USAGE", ScriptCalls.text(key), "SAMPLES", "0") instanceof Long bytes
                ? bytes
                : 0;
    }

    /** Returns by how much the heap grows for each counter. In a thread of its own: what it leaves behind goes with it. */
    private static long heapOf(Line line) {
        return CompletableFuture.supplyAsync(
                        () -> heap(line), task -> Thread.ofPlatform().start(task))
                .join();
    }

    private static long heap(Line line) {
        var now = new AtomicLong();
        long before = heapAfterCollection();
        try (var store = new MemoryStore(now::get, Integer.MAX_VALUE, Long.MAX_VALUE)) {
            for (int hit = 0; hit < line.hits; hit++) {
                now.set(instant(line, hit));
                for (int counter = 0; counter < line.counters; counter++) {
                    var _ = store.decide(Plan.of(List.of(check(line, counter))));
                }
            }
            long after = heapAfterCollection();
            if (store.size() != line.counters) {
                throw new IllegalStateException(store.size() + " counters in place of " + line.counters);
            }
            return (after - before) / line.counters;
        }
    }

    private static long heapAfterCollection() {
        long used = Long.MAX_VALUE;
        while (true) { // until one collection finds nothing more
            System.gc();
            long now = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
            if (now >= used) {
                return now;
            }
            used = now;
        }
    }
}
