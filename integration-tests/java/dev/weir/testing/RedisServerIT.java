package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The Redis that other tests count with is a real one, and does what they tell it to. */
final class RedisServerIT {
    private static final String VERSIONS = "dev.weir.testing.RedisVersions#available";

    @ParameterizedTest
    @MethodSource(VERSIONS)
    void runs_the_version_that_it_says(RedisVersion version) {
        try (var redis = RedisServer.start(version)) {
            assertThat(redis.version()).startsWith(version.number());
        }
    }

    @ParameterizedTest
    @MethodSource(VERSIONS)
    void answers_with_the_types_of_redis(RedisVersion version) {
        try (var redis = RedisServer.start(version, "--maxmemory", "20mb")) {
            assertThat(redis.command("SET", "k\u00ff", "1")).isEqualTo("OK");
            assertThat(redis.command("INCRBY", "k\u00ff", "41")).isEqualTo(42L);
            assertThat(redis.command("MGET", "k\u00ff", "none"))
                    .asInstanceOf(LIST)
                    .containsExactly("42", null);
            assertThat(redis.command("CONFIG", "GET", "maxmemory")).isEqualTo(List.of("maxmemory", "20971520"));
            assertThatThrownBy(() -> redis.command("LPUSH", "k\u00ff", "x"))
                    .isInstanceOf(RedisErrorReply.class)
                    .hasMessageStartingWith("WRONGTYPE");
        }
    }

    @ParameterizedTest
    @MethodSource(VERSIONS)
    void a_cluster_of_one_owns_every_slot_and_refuses_keys_of_two(RedisVersion version) {
        try (var redis = RedisServer.startCluster(version)) {
            assertThat(redis.command("SET", "a", "1")).isEqualTo("OK");
            assertThat(redis.command("SET", "b", "2")).isEqualTo("OK");
            assertThatThrownBy(() -> redis.command("MGET", "a", "b")).hasMessageStartingWith("CROSSSLOT");
            assertThat(String.valueOf(redis.command("CLUSTER", "SLOTS")))
                    .startsWith("[[0, 16383, [127.0.0.1, %d,".formatted(redis.port()));
        }
    }

    @ParameterizedTest
    @MethodSource(VERSIONS)
    void a_paused_one_takes_questions_and_answers_them_when_it_resumes(RedisVersion version) {
        try (var redis = RedisServer.start(version);
                var proxy = TcpProxy.to(redis.port())) {
            redis.pause();
            var asked = proxy.watch("PING");
            var answer = CompletableFuture.supplyAsync(() -> Ping.through(proxy.port()));
            Eventually.await("the question is sent", () -> asked.count() == 1);
            assertThat(answer).isNotDone();
            redis.resume();
            assertThat(answer.join()).isEqualTo("PONG");
        }
    }

    @Test
    void starts_again_on_the_same_port_with_nothing_kept() {
        try (var redis = RedisServer.start()) {
            redis.command("SET", "a", "1");
            var port = redis.port();
            redis.stop();
            assertThatThrownBy(() -> Ping.through(port)).hasMessageContaining("refused");
            redis.restart();
            assertThat(redis.port()).isEqualTo(port);
            assertThat(redis.command("GET", "a")).isNull();
        }
    }

    @Test
    void knows_its_own_password() {
        try (var redis = RedisServer.start(RedisVersions.first(), "--requirepass", "secret")) {
            assertThat(redis.command("PING")).isEqualTo("PONG");
            assertThatThrownBy(() -> Ping.through(redis.port())).hasMessageStartingWith("NOAUTH");
        }
    }

    @Test
    void two_run_side_by_side() {
        try (var one = RedisServer.start();
                var two = RedisServer.start()) {
            one.command("SET", "a", "1");
            assertThat(two.command("GET", "a")).isNull();
        }
    }
}
