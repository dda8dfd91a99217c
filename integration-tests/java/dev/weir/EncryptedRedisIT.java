package dev.weir;

import static dev.weir.testing.Caller.descriptor;
import static dev.weir.testing.Caller.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Caller;
import dev.weir.testing.ConfigMap;
import dev.weir.testing.Eventually;
import dev.weir.testing.Http;
import dev.weir.testing.MostlyWaits;
import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisEncryption;
import dev.weir.testing.RedisSentinels;
import dev.weir.testing.RedisServer;
import dev.weir.testing.SignedFiles;
import dev.weir.testing.TlsRedis;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Weir and a Redis that speaks TLS and asks who is there: several servers, and one whose certificates change. */
@MostlyWaits
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

    /** Redis trusts nobody any more whom it did, and is not trusted by who trusts as before. */
    @Test
    void connections_made_after_certificates_were_rotated_show_and_trust_the_new_ones(@TempDir Path folder) {
        var secret = ConfigMap.mountedAt(folder);
        secret.publish(
                Map.of("tls.crt", text(weirs.certificate()), "tls.key", text(weirs.key()), "ca.crt", authority(ours)));
        var redisPair = ours.sign("redis", "127.0.0.1");
        try (var redis = TlsRedis.start(redisPair, ours.authority(), "--tls-auth-clients", "yes");
                var weir = WeirProcess.start(RULES, environment(redis, folder));
                var caller = Caller.of(weir)) {
            assertThat(caller.left("edge", "user", "ann")).isEqualTo(10);
            rotate(redis, redisPair);
            assertThat(caller.isAnswered(asking("ann")))
                    .as("over a connection that is there")
                    .isTrue();

            var next = foreign.sign("weir", "weir.example");
            secret.publish(Map.of(
                    "tls.crt", text(next.certificate()), "tls.key", text(weirs.key()), "ca.crt", authority(foreign)));
            weir.awaitOutput("TLS to Redis: " + folder.resolve("tls.key")
                    + ": the key does not belong to the certificate in " + folder.resolve("tls.crt")
                    + "; what was in the files before stays in force");
            redis.server().command("CLIENT", "KILL", "TYPE", "normal");
            Eventually.await("what was before does not do", () -> !caller.isAnswered(asking("bob")));

            secret.publish(Map.of(
                    "tls.crt", text(next.certificate()), "tls.key", text(next.key()), "ca.crt", authority(foreign)));
            Eventually.await("Redis is reached again", () -> caller.isAnswered(asking("bob")));
            assertThat(caller.left("edge", "user", "ann")).isEqualTo(9);
            assertThat(weir.output()).contains("TLS to Redis: new connections get what is in the files now");
            assertThat(weir.output().lines().filter(line -> line.contains("ERROR")))
                    .hasSize(1);
            assertThat(RedisEncryption.clientsInTheClear(redis.server())).isEmpty();
        }
    }

    /** Redis reads its files again whenever it is told one of their names. */
    private static void rotate(TlsRedis redis, SignedFiles.Pair files) {
        var next = foreign.sign("redis", "127.0.0.1");
        var _ = ours.write(files.certificate().getFileName().toString(), text(next.certificate()));
        var _ = ours.write(files.key().getFileName().toString(), text(next.key()));
        redis.server()
                .command(
                        "CONFIG", "SET", "tls-ca-cert-file", foreign.authority().toString());
    }

    private static String text(Path file) {
        return ours.textOf(file);
    }

    private static String authority(SignedFiles of) {
        return of.textOf(of.authority());
    }

    private static Map<String, String> environment(TlsRedis redis, Path folder) {
        var store = Map.of("BACKEND_TYPE", "redis", "REDIS_URL", "127.0.0.1:" + redis.port(), "STORE_TIMEOUT", "5s");
        var mounted = new SignedFiles.Pair(folder.resolve("tls.crt"), folder.resolve("tls.key"));
        return RedisEncryption.environment(store, mounted, folder.resolve("ca.crt"));
    }

    private static void assertRefused(Map<String, String> environment, String reason) {
        environment.put("REDIS_HEALTH_CHECK_ACTIVE_CONNECTION", "true");
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
