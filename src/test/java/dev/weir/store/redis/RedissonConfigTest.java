package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.loop.EventLoops;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Redisson is told. */
final class RedissonConfigTest {
    private static final Duration ANY = Duration.ofSeconds(1);

    private final EventLoops loops = EventLoops.single("weir-test");

    @AfterEach
    void end() {
        loops.close();
    }

    /** A second ping without an answer ends the connection, and all calls that are under way on it. */
    @ParameterizedTest
    @CsvSource({"200, 1000", "1000, 1000", "10000, 10000"})
    void a_silent_redis_is_not_left_before_those_who_wait_for_it_give_up(int timeoutMillis, int pingMillis) {
        var options = new RedisOptions(
                new RedisOptions.Topology.Single("redis://redis:6379"),
                RedisOptions.Login.NONE,
                null,
                0,
                null,
                ANY,
                Duration.ofMillis(timeoutMillis),
                "",
                16,
                4);
        var config = RedissonConfig.of(options, loops, 0);
        assertThat(config.useSingleServer().getPingConnectionInterval()).isEqualTo(pingMillis);
    }
}
