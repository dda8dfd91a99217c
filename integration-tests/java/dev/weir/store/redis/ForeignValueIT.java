package dev.weir.store.redis;

import static dev.weir.store.redis.Hits.ask;
import static dev.weir.store.redis.Hits.failureOf;
import static dev.weir.store.redis.Hits.hit;
import static dev.weir.store.redis.Hits.onAdmit;
import static dev.weir.store.redis.Hits.readingOf;
import static dev.weir.store.redis.Hits.redisKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.StoreContract;
import dev.weir.testing.RedisServer;
import dev.weir.testing.RedisVersion;
import dev.weir.testing.RedisVersions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Counters in whose places something else stands, and whom that harms. */
final class ForeignValueIT {

    static List<RedisVersion> versions() {
        return RedisVersions.available();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void a_counter_that_holds_something_else_fails_only_its_own(RedisVersion version) {
        try (var redis = RedisServer.start(version);
                var bench = RedisBench.on(redis.port()).awaitReached()) {
            redis.command("RPUSH", redisKey("list"), "x");
            redis.command("SET", redisKey("text"), "no number");
            redis.command("SET", redisKey("huge"), "9223372036854775807");
            var asked = List.of(
                    ask(bench, "a"),
                    ask(bench, "list"),
                    ask(bench, "b"),
                    ask(bench, "text"),
                    ask(bench, "huge"),
                    ask(bench, "a"));
            assertThat(readingOf(asked.get(0)).remaining()).isEqualTo(9);
            assertThat(failureOf(asked.get(1))).hasMessageContaining("WRONGTYPE");
            assertThat(readingOf(asked.get(2)).remaining()).isEqualTo(9);
            assertThat(failureOf(asked.get(3))).hasMessageContaining("not an integer");
            assertThat(failureOf(asked.get(4))).hasMessageContaining("overflow");
            assertThat(readingOf(asked.get(5)).remaining()).isEqualTo(8);
        }
    }

    /** A plan that fails leaves as many answers as it has checks, or nobody behind it could read his. */
    @Test
    void a_plan_with_such_a_counter_fails_as_a_whole_and_alone() {
        try (var redis = RedisServer.start();
                var bench = RedisBench.on(redis.port()).awaitReached()) {
            redis.command("RPUSH", redisKey("list"), "x");
            var asked = new ArrayList<CompletableFuture<List<Reading>>>();
            for (int i = 0; i < 10; i++) { // some of them go together
                asked.add(ask(bench, Plan.of(List.of(onAdmit("good"), onAdmit("list")))));
                asked.add(ask(bench, Plan.of(List.of(onAdmit("other")))));
            }
            for (int i = 0; i < asked.size(); i += 2) {
                assertThat(failureOf(asked.get(i))).hasMessageContaining("WRONGTYPE");
                assertThat(readingOf(asked.get(i + 1)).isAdmitted()).isTrue();
            }
            assertThat(readingOf(ask(bench, Plan.of(List.of(onAdmit("good"))))).remaining())
                    .as("nothing was charged beside it")
                    .isEqualTo(9);
        }
    }

    @Test
    void a_string_that_is_no_bucket_fails_its_check() {
        var bucket = Limit.of(Quota.per(Unit.YEAR, 10), new Algorithm.TokenBucket(10));
        try (var redis = RedisServer.start();
                var bench = RedisBench.on(redis.port()).awaitReached()) {
            redis.command("SET", redisKey("text"), "no bucket");
            var asked = ask(bench, Plan.of(List.of(Check.of(StoreContract.key("text"), bucket, 1))));
            assertThat(failureOf(asked)).hasMessageContaining("WRONGVALUE");
        }
    }

    @Test
    void a_negative_or_foreign_number_counts_as_no_counter() {
        try (var redis = RedisServer.start();
                var bench = RedisBench.on(redis.port()).awaitReached()) {
            redis.command("SET", redisKey("negative"), "-5");
            redis.command("SET", redisKey("foreign"), "3");
            assertThat(hit(bench, "negative").remaining()).isEqualTo(9);
            assertThat(hit(bench, "foreign").remaining()).isEqualTo(9);
            assertThat((Long) redis.command("PTTL", redisKey("foreign"))).isPositive();
        }
    }
}
