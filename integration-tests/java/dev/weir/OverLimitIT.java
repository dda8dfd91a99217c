package dev.weir;

import static dev.weir.testing.Caller.descriptor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Caller;
import dev.weir.testing.Counts;
import dev.weir.testing.Eventually;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What Redis is spared of callers over their limit, and that nobody is refused who need not be. One Weir remembers, one not. */
final class OverLimitIT {
    private static final int TIMES = 300;

    private static RedisServer redis;
    private static WeirProcess remembering;
    private static WeirProcess asking;
    private static Caller caller;
    private static Caller other;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
        var environment = new HashMap<>(WeirProcess.on(redis));
        remembering = WeirProcess.start(Map.of("edge.yaml", rules(5)), environment);
        environment.put("LOCAL_CACHE_SIZE_IN_BYTES", "0");
        asking = WeirProcess.start(Map.of("edge.yaml", rules(5)), environment);
        caller = Caller.of(remembering);
        other = Caller.of(asking);
    }

    @AfterAll
    static void end() {
        caller.close();
        other.close();
        remembering.close();
        asking.close();
        redis.close();
    }

    @Test
    void redis_is_asked_once_a_second_for_a_key_that_is_over() {
        long before = remembered(remembering);
        long start = System.nanoTime();
        assertThat(admitted(caller, "hot")).isEqualTo(5);
        long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
        long counted = count("hot");
        assertThat(counted).isBetween(6L, 7 + seconds);
        assertThat(remembered(remembering) - before).isEqualTo(TIMES - counted);
    }

    @Test
    void with_no_room_redis_counts_every_hit() {
        assertThat(admitted(other, "counted")).isEqualTo(5);
        assertThat(count("counted")).isEqualTo(TIMES);
        assertThat(remembered(asking)).isZero();
    }

    @Test
    void memory_says_what_redis_says() {
        admitted(caller, "told");
        DescriptorStatus fromMemory = caller.hit("edge", "user", "told");
        DescriptorStatus fromRedis = other.hit("edge", "user", "told");
        assertThat(fromMemory.getCode()).isEqualTo(fromRedis.getCode());
        assertThat(fromMemory.getCurrentLimit()).isEqualTo(fromRedis.getCurrentLimit());
        assertThat(fromMemory.getLimitRemaining()).isZero();
        assertThat(fromMemory.getDurationUntilReset().getSeconds()
                        - fromRedis.getDurationUntilReset().getSeconds())
                .isBetween(0L, 30L);
    }

    @Test
    void a_limit_of_the_callers_own_is_not_refused_for_the_rules_sake() {
        admitted(caller, "generous");
        var status = caller.ask("edge", withLimit(descriptor("user", "generous"), 100))
                .getStatuses(0);
        assertThat(status.getCode()).isEqualTo(Code.OK);
    }

    @Test
    void a_raised_limit_holds_as_soon_as_it_is_in_force() {
        admitted(caller, "raised");
        remembering.write("edge.yaml", rules(50));
        try {
            Eventually.await(
                    "the limit is 50",
                    () -> caller.hit("edge", "user", "probe").getCurrentLimit().getRequestsPerUnit() == 50);
            assertThat(caller.hit("edge", "user", "raised").getCode()).isEqualTo(Code.OK);
        } finally {
            remembering.write("edge.yaml", rules(5));
            Eventually.await(
                    "the limit is 5",
                    () -> caller.hit("edge", "user", "probe").getCurrentLimit().getRequestsPerUnit() == 5);
        }
    }

    @Test
    void a_counter_that_is_reset_in_redis_counts_anew_soon() {
        admitted(caller, "reset");
        redis.command("DEL", Counts.key(redis, "reset"));
        Eventually.await(
                "the reset is seen", () -> caller.hit("edge", "user", "reset").getCode() == Code.OK);
    }

    private static int admitted(Caller asked, String user) {
        int admitted = 0;
        for (int i = 0; i < TIMES; i++) {
            admitted += asked.hit("edge", "user", user).getCode() == Code.OK ? 1 : 0;
        }
        return admitted;
    }

    private static long count(String user) {
        return Counts.counted(redis, user);
    }

    private static long remembered(WeirProcess weir) {
        return Counts.statistic(weir, "weir.store.checks.remembered");
    }

    private static RateLimitDescriptor withLimit(RateLimitDescriptor descriptor, int hits) {
        return descriptor.toBuilder()
                .setLimit(RateLimitDescriptor.RateLimitOverride.newBuilder()
                        .setRequestsPerUnit(hits)
                        .setUnit(RateLimitUnit.YEAR))
                .build();
    }

    private static String rules(int hits) {
        return """
                domain: edge
                descriptors:
                  - { key: user, rate_limit: { unit: year, requests_per_unit: %d } }
                """.formatted(hits);
    }
}
