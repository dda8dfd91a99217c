package dev.weir;

import static dev.weir.testing.Caller.descriptor;
import static dev.weir.testing.Caller.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Caller;
import dev.weir.testing.Eventually;
import dev.weir.testing.Http;
import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisEncryption;
import dev.weir.testing.RedisSentinels;
import dev.weir.testing.RedisServer;
import dev.weir.testing.SignedFiles;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Weir and a Redis of several servers, each of which speaks TLS and asks who is there. */
final class EncryptedRedisIT {
    private static final Map<String, String> RULES = Map.of("edge.yaml", """
        domain: edge
        descriptors:
          - { key: user, rate_limit: { unit: year, requests_per_unit: 10 } }
        """);
    private static final String[] PASSWORDS = {"--requirepass", "for-redis", "--masterauth", "for-redis"};
    private static final String STRANGE =
            "its certificate is not signed by an authority that is trusted here (REDIS_TLS_CACERT)";
    private static SignedFiles ours;
    private static SignedFiles foreign;
    private static SignedFiles.Pair weirs;

    @BeforeAll
    static void sign() {
        ours = SignedFiles.create();
        foreign = SignedFiles.create();
        weirs = ours.sign("weir", "weir.example");
    }

    @AfterAll
    static void end() {
        ours.close();
        foreign.close();
    }

    @Test
    void sentinels_name_a_new_master_and_nobody_is_spoken_to_in_the_clear() {
        try (var redis = RedisSentinels.start(RedisEncryption.by(ours), "for-sentinels", PASSWORDS)) {
            var environment = RedisEncryption.environment(WeirProcess.on(redis), weirs, ours.authority());
            environment.putAll(Map.of("REDIS_AUTH", "for-redis", "REDIS_SENTINEL_AUTH", "for-sentinels"));
            environment.put("STORE_TIMEOUT", "5s");
            try (var weir = WeirProcess.start(RULES, environment);
                    var caller = Caller.of(weir)) {
                assertThat(caller.hit("edge", "user", "ann").getLimitRemaining())
                        .isEqualTo(9);
                assertThat(keys(redis.first(), "ann")).hasSize(1);
                redis.failOver();
                redis.awaitMaster(redis.second());
                Eventually.await(
                        "hits reach the new master",
                        () -> caller.isAnswered(asking("bob"))
                                && !keys(redis.second(), "bob").isEmpty());
                assertThat(RedisEncryption.clientsInTheClear(redis.first())).isEmpty();
                assertThat(RedisEncryption.clientsInTheClear(redis.second())).isEmpty();
            }
        }
    }

    @Test
    void an_authority_that_nobody_has_told_us_of_is_named_once_and_requests_fail() {
        try (var cluster = RedisCluster.start(RedisEncryption.by(foreign));
                var sentinels = RedisSentinels.start(RedisEncryption.by(foreign), "")) {
            for (var store : List.of(WeirProcess.on(cluster), WeirProcess.on(sentinels))) {
                var client = foreign.sign("weir", "weir.example");
                assertRefused(RedisEncryption.environment(store, client, ours.authority()), STRANGE);
            }
        }
    }

    @Test
    void a_certificate_that_redis_does_not_take_is_told_of_once_and_requests_fail() {
        try (var cluster = RedisCluster.start(RedisEncryption.by(foreign));
                var sentinels = RedisSentinels.start(RedisEncryption.by(foreign), "")) {
            for (var store : List.of(WeirProcess.on(cluster), WeirProcess.on(sentinels))) {
                assertRefused(
                        RedisEncryption.environment(store, weirs, foreign.authority()),
                        "it broke the TLS handshake off (");
            }
        }
    }

    private static void assertRefused(Map<String, String> environment, String reason) {
        environment.putAll(Map.of("REDIS_HEALTH_CHECK_ACTIVE_CONNECTION", "true", "STORE_TIMEOUT", "5s"));
        environment.put("REDIS_TIMEOUT", "2s"); // of each node: who is not taken is not always told so
        try (var weir = WeirProcess.launch(RULES, environment);
                var caller = Caller.of(weir)) {
            String sentence = "cannot be reached: " + reason;
            weir.awaitOutput("debug on ");
            weir.awaitOutput(sentence);
            Status failure = caller.failureOf(asking("ann"));
            assertThat(failure.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(failure.getDescription()).contains("was not reached yet");
            assertThat(Http.get(weir.http("/healthcheck")).statusCode()).isEqualTo(500);
            assertThat(weir.output().lines().filter(line -> line.contains(sentence)))
                    .hasSize(1);
            assertThat(weir.output()).doesNotContain("Exception", "\tat ", "ERROR");
        }
    }

    private static RateLimitRequest asking(String user) {
        return request("edge", descriptor("user", user));
    }

    private static List<?> keys(RedisServer redis, String part) {
        return redis.command("KEYS", "*" + part + "*") instanceof List<?> keys ? keys : List.of();
    }
}
