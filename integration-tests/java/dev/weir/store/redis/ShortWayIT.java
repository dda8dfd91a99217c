package dev.weir.store.redis;

import static dev.weir.store.redis.Hits.ask;
import static dev.weir.store.redis.Hits.check;
import static dev.weir.store.redis.Hits.failureOf;
import static dev.weir.store.redis.Hits.readingsOf;
import static dev.weir.store.redis.Hits.redisKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.Check;
import dev.weir.store.Reading;
import dev.weir.store.StoreContract;
import dev.weir.store.redis.plain.ServerClock;
import dev.weir.testing.Eventually;
import dev.weir.testing.RedisServer;
import dev.weir.testing.TcpProxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hits that are added to counters which stand there, without the script, and what becomes of those that do not. */
final class ShortWayIT {
    private static final long MINUTE_MICROS = 60_000_000;

    private final RedisServer redis = RedisServer.start();

    @AfterEach
    void stop() {
        redis.close();
    }

    @Test
    void a_counter_that_was_begun_is_only_added_to() {
        try (var bench = atNoon()) {
            assertThat(hit(bench, "a", 1).remaining()).isEqualTo(9);
            forbidScript();
            assertThat(hit(bench, "a", 1).remaining()).isEqualTo(8);
            assertThat(hit(bench, "a", 5).remaining()).isEqualTo(3);
            assertThat(hit(bench, "a", 4).isAdmitted()).isFalse();
            assertThat(hit(bench, "a", 1).isAdmitted()).as("refused hits count").isFalse();
        }
    }

    @Test
    void a_counter_that_does_not_exist_is_begun_without_the_script_and_expires() {
        try (var bench = RedisBench.on(redis.port()).awaitReached()) {
            forbidScript();
            assertThat(hits(bench, check("a", 1), check("b", 2)))
                    .extracting(Reading::remaining)
                    .containsExactly(9L, 8L);
            assertThat(hits(bench, check("a", 1), check("c", 1)))
                    .extracting(Reading::remaining)
                    .containsExactly(8L, 9L);
            long yearMillis = TimeUnit.DAYS.toMillis(365);
            for (String counter : List.of("a", "b", "c")) {
                assertThat((Long) redis.command("PTTL", redisKey(counter))).isBetween(1L, yearMillis + 1_000);
            }
        }
    }

    @Test
    void a_counter_that_another_service_has_begun_is_added_to_without_the_script() {
        try (var one = RedisBench.on(redis.port()).awaitReached();
                var other = RedisBench.on(redis.port()).awaitReached()) {
            forbidScript();
            assertThat(hit(one, "a", 1).remaining()).isEqualTo(9);
            assertThat(hit(other, "a", 1).remaining()).isEqualTo(8);
            assertThat(hit(one, "a", 1).remaining()).isEqualTo(7);
        }
    }

    @Test
    void what_needs_the_script_does_not_bring_the_rest_there() {
        try (var bench = RedisBench.on(redis.port()).awaitReached()) {
            var counters = List.of("a", "b", "c", "d", "e", "f");
            var checks = Stream.concat(
                    Stream.of(check("looked at", 0)), counters.stream().map(counter -> check(counter, 1)));
            forbidScript();
            assertThat(failureOf(ask(bench, checks.toArray(Check[]::new)))).hasMessageContaining("NOPERM");
            assertThat(counters)
                    .allSatisfy(counter -> assertThat(hit(bench, counter, 1).remaining())
                            .as("the second hit")
                            .isEqualTo(8));
        }
    }

    @Test
    void the_first_hit_of_a_new_window_is_counted_there_and_once() {
        try (var bench = RedisBench.withTestClockAndExpiry(redis).awaitReached()) {
            long noon = StoreContract.NOON_MICROS;
            RedisBench.setClock(redis, noon);
            var check = Check.of(StoreContract.key("a"), StoreContract.TEN_A_MINUTE, 3);
            hits(bench, check);
            forbidScript();
            assertThat(hits(bench, check).getFirst().remaining()).isEqualTo(4);
            allowScript();
            RedisBench.setClock(redis, noon + MINUTE_MICROS); // by the clock of Weir, the minute goes on
            assertThat(hits(bench, check, check)).extracting(Reading::remaining).containsExactly(7L, 4L);
            assertThat((Long) redis.command("PTTL", redisKey("a"))).isBetween(59_000L, 61_000L);
        }
    }

    /** In each window that has a number of its own: a count that no window begins with would stand in one of them. */
    @Test
    void a_counter_that_redis_has_lost_begins_again_with_an_expiry() {
        try (var bench = RedisBench.withTestClockAndExpiry(redis).awaitReached()) {
            var check = Check.of(StoreContract.key("a"), StoreContract.TEN_A_MINUTE, 2);
            for (int window = 0; window < 1_023; window++) {
                RedisBench.setClock(redis, StoreContract.NOON_MICROS + window * MINUTE_MICROS);
                hits(bench, check);
                hits(bench, check);
                redis.command("DEL", redisKey("a"));
                assertThat(hits(bench, check).getFirst().remaining()).isEqualTo(8);
                assertThat((Long) redis.command("PTTL", redisKey("a"))).isBetween(59_000L, 61_000L);
                assertThat(hits(bench, check).getFirst().remaining()).isEqualTo(6);
            }
        }
    }

    @Test
    void a_counter_that_holds_something_else_fails_only_its_own() {
        try (var bench = atNoon()) {
            hits(bench, check("a", 1), check("list", 1), check("huge", 1));
            redis.command("DEL", redisKey("list"));
            redis.command("RPUSH", redisKey("list"), "x");
            redis.command("SET", redisKey("huge"), "9223372036854775807");
            var asked = List.of(ask(bench, check("list", 1)), ask(bench, check("a", 1)), ask(bench, check("huge", 1)));
            assertThat(failureOf(asked.get(0))).hasMessageContaining("WRONGTYPE");
            assertThat(readingsOf(asked.get(1)).getFirst().remaining()).isEqualTo(8);
            assertThat(failureOf(asked.get(2))).hasMessageContaining("overflow");
        }
    }

    @Test
    void a_call_whose_reply_is_lost_fails_in_time_and_counts_once() throws InterruptedException {
        try (var proxy = TcpProxy.to(redis.port());
                var bench = RedisBench.on(proxy.port(), Duration.ofSeconds(1)).awaitReached()) {
            hit(bench, "counter-a", 1);
            hit(bench, "counter-a", 1);
            forbidScript();
            proxy.swallowReplyTo("counter-a");
            assertThat(failureOf(ask(bench, check("counter-a", 1))))
                    .hasMessageContaining("did not answer within 1000 ms");
            proxy.resume();
            allowScript();
            Eventually.await(
                    "Redis answers again",
                    () -> ask(bench, check("counter-b", 1))
                            .handle((_, failure) -> failure == null)
                            .join());
            assertThat(hit(bench, "counter-a", 1).remaining())
                    .as("two, the lost one, and this")
                    .isEqualTo(6);
        }
    }

    @Test
    void a_lost_counter_whose_script_call_fails_is_worth_nothing_and_mended_by_the_next_hit() {
        try (var bench = atNoon()) {
            hit(bench, "a", 1);
            redis.command("DEL", redisKey("a"));
            forbidScript();
            assertThat(failureOf(ask(bench, check("a", 2)))).hasMessageContaining("NOPERM");
            assertThat(state("a")).as("added, before the script was asked").isEqualTo("2");
            allowScript();
            assertThat(hit(bench, "a", 3).remaining()).isEqualTo(7);
            assertThat((Long) redis.command("PTTL", redisKey("a"))).isPositive();
        }
    }

    @Test
    void a_counter_that_cannot_be_added_to_is_not_tried_again() {
        try (var bench = atNoon()) {
            hit(bench, "a", 1);
            redis.command("DEL", redisKey("a"));
            redis.command("RPUSH", redisKey("a"), "x");
            assertThat(failureOf(ask(bench, check("a", 1)))).hasMessageContaining("WRONGTYPE");
            Eventually.await("a hit within a second goes by the script only", () -> {
                long failedCalls = failedIncrements();
                assertThat(failureOf(ask(bench, check("a", 1)))).hasMessageContaining("WRONGTYPE");
                return failedIncrements() == failedCalls + 1;
            });
        }
    }

    /** The script reads more as a number than is one in a reply. */
    @Test
    void while_redis_does_not_say_the_time_all_goes_by_the_script() {
        try (var bench = atNoon()) {
            hit(bench, "a", 1);
            redis.command("SET", "test-clock", StoreContract.NOON_MICROS + ".0");
            Eventually.await(
                    "the short way is closed",
                    () -> bench.heard.stream()
                            .anyMatch(heard -> heard.startsWith(
                                    "short way closed: Redis does not say the time: no digit: 46 (redis://")));
            assertThat(hit(bench, "a", 1).remaining()).isEqualTo(8);
            assertThat(hit(bench, "a", 1).remaining()).isEqualTo(7);
            RedisBench.setClock(redis, StoreContract.NOON_MICROS);
            forbidScript();
            Eventually.await(
                    "the short way is open",
                    () -> ask(bench, check("a", 1))
                            .handle((_, failure) -> failure == null)
                            .join());
        }
    }

    /** As a proxy would that answers TIME by itself, whose clock is a year fast: what is added counts there for nothing. */
    @Test
    void where_time_is_another_clock_than_the_scripts_all_goes_by_the_script() {
        try (var bench = withAFastClock()) {
            Eventually.await("the short way is closed", () -> {
                hit(bench, "other", 1);
                return bench.heard.stream()
                        .anyMatch(heard -> heard.contains("short way closed: TIME is not answered by"));
            });
            for (long left = 9; left > 0; left--) {
                assertThat(hit(bench, "a", 1).remaining()).isEqualTo(left);
            }
        }
    }

    /** The user may add to counters, but not set them: what it has added would stay for ever. */
    @Test
    void a_counter_that_the_script_adds_to_and_cannot_begin_is_taken_away() {
        try (var bench = withAFastClock()) {
            redis.command("ACL", "SETUSER", "default", "-set");
            Eventually.await("the short way is closed", () -> {
                assertThat(failureOf(ask(bench, check("a", 1)))).hasMessageContaining("ACL LOG");
                return state("a").equals("null");
            });
        }
    }

    @Test
    void two_services_count_together() {
        try (var one = RedisBench.on(redis.port()).awaitReached();
                var other = RedisBench.on(redis.port()).awaitReached()) {
            for (long left = 9; left > 0; left -= 2) {
                assertThat(hit(one, "a", 1).remaining()).isEqualTo(left);
                assertThat(hit(other, "a", 1).remaining()).isEqualTo(left - 1);
                forbidScript();
            }
            assertThat(hit(one, "a", 1).isAdmitted()).isFalse();
        }
    }

    /** A count at its bounds stays there, whichever way hits come. */
    @Test
    void a_count_near_its_bounds_is_left_to_the_script() {
        try (var bench = RedisBench.on(redis.port()).awaitReached()) {
            hit(bench, "a", 1);
            long window = Long.parseLong(state("a")) >>> 43;
            redis.command("SET", redisKey("a"), Long.toString(window << 43 | (1L << 42) - 2), "KEEPTTL");
            assertThat(hit(bench, "a", 1).isAdmitted()).as("added").isFalse();
            Eventually.await("a hit within a second is counted by the script", () -> {
                assertThat(hit(bench, "a", 1).isAdmitted()).isFalse();
                return state("a").equals(Long.toString(window << 43 | 1L << 42));
            });
        }
    }

    @Test
    void a_count_that_another_service_fills_does_not_run_over() {
        try (var one = atNoon();
                var other = atNoon()) {
            hit(one, "a", 1);
            for (int i = 0; i < 4; i++) {
                assertThat(hit(other, "a", 1L << 41).isAdmitted()).isFalse();
            }
            Eventually.await("a hit within a second is counted by the script", () -> {
                assertThat(hit(one, "a", 1).isAdmitted()).isFalse();
                return (Long.parseLong(state("a")) & (1L << 43) - 1) == 1L << 42;
            });
        }
    }

    private static byte[] command(String... words) {
        var resp = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            resp.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        return resp.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private RedisBench withAFastClock() {
        var fast = new ServerClock(
                _ -> command(
                        "EVAL",
                        "local t = redis.call('TIME') return {string.format('%d', t[1] + 31536000), t[2]}",
                        "0"),
                ServerClock.production().lifetime());
        return RedisBench.withScript(redis.port(), Script.of(Script.part("clock.lua"), fast))
                .awaitReached();
    }

    private RedisBench atNoon() {
        var bench = RedisBench.withTestClock(redis).awaitReached();
        RedisBench.setClock(redis, StoreContract.NOON_MICROS);
        return bench;
    }

    private String state(String counter) {
        return String.valueOf(redis.command("GET", redisKey(counter)));
    }

    /** Whatever is answered from now on went without it. */
    private void forbidScript() {
        redis.command("ACL", "SETUSER", "default", "-evalsha");
    }

    private void allowScript() {
        redis.command("ACL", "SETUSER", "default", "+evalsha");
    }

    private long failedIncrements() {
        return String.valueOf(redis.command("INFO", "commandstats"))
                .lines()
                .filter(line -> line.startsWith("cmdstat_incrby:"))
                .map(line -> line.replaceAll(".*failed_calls=", ""))
                .mapToLong(Long::parseLong)
                .sum();
    }

    private static Reading hit(RedisBench bench, String counter, long hits) {
        return hits(bench, check(counter, hits)).getFirst();
    }

    private static List<Reading> hits(RedisBench bench, Check... checks) {
        return readingsOf(ask(bench, checks));
    }
}
