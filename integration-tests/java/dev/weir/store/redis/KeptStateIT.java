package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.StoreContract;
import dev.weir.testing.RedisServer;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What stands in Redis is a contract between the versions of Weir that count on it together, during a rollout and after going
 * back. The recorded commands make the counters that the first version left behind; one that has to keep something else
 * gives it other keys, and records them beside these.
 */
final class KeptStateIT {
    private static final Path RECORDED = Path.of("integration-tests", "resources", "kept", "counters.txt");
    private static final long FIRST = StoreContract.NOON_MICROS + 1_500_000;
    private static final long SECOND = FIRST + 17_250_001;
    private static final long THIRD = SECOND + 43_000_000; // in the next minute

    private static final Quota TEN_A_MINUTE = Quota.per(Unit.MINUTE, 10);
    private static final Counter LOCKED = new Counter(
            "fixed window, locked", new Limit(TEN_A_MINUTE, new Algorithm.FixedWindow(), Charge.ALWAYS, 300));

    /** Each way to count. */
    private static final List<Counter> COUNTERS = List.of(
            LOCKED,
            new Counter("fixed window", Limit.of(TEN_A_MINUTE, new Algorithm.FixedWindow())),
            new Counter("fixed window, on_admit", charged(new Algorithm.FixedWindow(), Charge.ON_ADMIT)),
            new Counter("fixed window, drain", charged(new Algorithm.FixedWindow(), Charge.DRAIN)),
            new Counter("sliding window", Limit.of(TEN_A_MINUTE, new Algorithm.SlidingWindow(1))),
            new Counter("sliding window of 6 parts", Limit.of(TEN_A_MINUTE, new Algorithm.SlidingWindow(6))),
            new Counter("sliding log", Limit.of(TEN_A_MINUTE, new Algorithm.SlidingLog())),
            new Counter("token bucket", Limit.of(TEN_A_MINUTE, new Algorithm.TokenBucket(10))),
            new Counter("leaky bucket", Limit.of(TEN_A_MINUTE, new Algorithm.LeakyBucket(10))),
            new Counter("gcra", Limit.of(TEN_A_MINUTE, new Algorithm.Gcra(10))));

    private record Counter(String name, Limit limit) {}

    private static Limit charged(Algorithm algorithm, Charge charge) {
        return new Limit(TEN_A_MINUTE, algorithm, charge, 0);
    }

    @Test
    void counters_are_kept_as_they_were_recorded() throws IOException {
        try (var redis = RedisServer.start();
                var bench = RedisBench.withTestClock(redis).awaitReached()) {
            count(redis, bench);
            assertThat(keptIn(redis)).isEqualTo(Files.readAllLines(RECORDED));
        }
    }

    @Test
    void counters_that_were_recorded_are_counted_on() throws IOException {
        List<Reading> own;
        try (var redis = RedisServer.start();
                var bench = RedisBench.withTestClock(redis).awaitReached()) {
            count(redis, bench);
            own = goOn(redis, bench);
        }
        try (var redis = RedisServer.start();
                var bench = RedisBench.withTestClock(redis).awaitReached()) {
            Files.readAllLines(RECORDED).forEach(line -> redis.command(words(line)));
            assertThat(goOn(redis, bench)).isEqualTo(own);
        }
        assertThat(own).as("of what was counted before something is seen").anyMatch(reading -> !reading.isAdmitted());
    }

    /** Four hits at once, then three and the last of them by itself; where there is a lock, also one too many. */
    private static void count(RedisServer redis, RedisBench bench) {
        RedisBench.setClock(redis, FIRST);
        COUNTERS.forEach(counter -> hit(bench, counter, 4));
        RedisBench.setClock(redis, SECOND);
        COUNTERS.forEach(counter -> hit(bench, counter, 3));
        hit(bench, LOCKED, 4);
    }

    private static List<Reading> goOn(RedisServer redis, RedisBench bench) {
        var readings = new ArrayList<Reading>();
        for (long now : new long[] {SECOND, THIRD}) {
            RedisBench.setClock(redis, now);
            COUNTERS.forEach(counter -> readings.add(hit(bench, counter, 2)));
            COUNTERS.forEach(counter -> readings.add(hit(bench, counter, 4)));
        }
        return readings;
    }

    private static Reading hit(RedisBench bench, Counter counter, long hits) {
        var check = Check.of(StoreContract.key(counter.name()), counter.limit(), hits);
        return bench.store
                .decide(Plan.of(List.of(check)))
                .toCompletableFuture()
                .orTimeout(10, TimeUnit.SECONDS)
                .join()
                .getFirst();
    }

    /** Returns the commands that make what Redis holds of these counters, in the order of their keys. */
    private static List<String> keptIn(RedisServer redis) {
        return strings(redis, "KEYS", "*").stream()
                .filter(key -> COUNTERS.stream().map(Counter::name).anyMatch(key::contains))
                .sorted()
                .map(key -> line(command(redis, key)))
                .toList();
    }

    private static List<String> command(RedisServer redis, String key) {
        var type = String.valueOf(redis.command("TYPE", key));
        return switch (type) {
            case "string" -> List.of("SET", key, String.valueOf(redis.command("GET", key)));
            case "hash" -> {
                var fields = strings(redis, "HGETALL", key);
                var sorted = new TreeMap<String, String>();
                for (int i = 0; i < fields.size(); i += 2) {
                    sorted.put(fields.get(i), fields.get(i + 1));
                }
                yield Stream.concat(
                                Stream.of("HSET", key),
                                sorted.entrySet().stream()
                                        .flatMap(field -> Stream.of(field.getKey(), field.getValue())))
                        .toList();
            }
            case "zset" -> {
                var members = strings(redis, "ZRANGE", key, "0", "-1", "WITHSCORES");
                var words = new ArrayList<>(List.of("ZADD", key));
                for (int i = 0; i < members.size(); i += 2) {
                    words.add(members.get(i + 1));
                    words.add(members.get(i));
                }
                yield words;
            }
            default -> throw new AssertionError(key + " is a " + type);
        };
    }

    private static List<String> strings(RedisServer redis, String... command) {
        if (redis.command(command) instanceof List<?> reply) {
            return reply.stream().map(String::valueOf).toList();
        }
        throw new AssertionError("no list for " + command[0]);
    }

    private static String line(List<String> words) {
        return String.join(
                " ",
                words.stream()
                        .map(word -> URLEncoder.encode(word, StandardCharsets.ISO_8859_1))
                        .toList());
    }

    private static String[] words(String line) {
        return Arrays.stream(line.split(" "))
                .map(word -> URLDecoder.decode(word, StandardCharsets.ISO_8859_1))
                .toArray(String[]::new);
    }
}
