package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.redis.RedisOptions.Topology;
import dev.weir.testing.Eventually;
import dev.weir.testing.MostlyWaits;
import dev.weir.testing.RedisServer;
import dev.weir.testing.SignedFiles;
import dev.weir.testing.TlsRedis;
import dev.weir.tls.Authorities;
import dev.weir.tls.Identity;
import dev.weir.tls.PemException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A Redis that speaks TLS, and each certificate that does not fit: one sentence for the operator, and no plain text. */
@MostlyWaits
final class RedisTlsIT {
    private static final String HERE = "127.0.0.1";
    private static final String SILENCE =
            "it takes connections and does not answer in time; is REDIS_TLS right, or is it busy or far away (STORE_TIMEOUT)?";
    private static SignedFiles ours;
    private static SignedFiles foreign;
    private static SignedFiles.Pair good;

    @BeforeAll
    static void sign() {
        ours = SignedFiles.create();
        foreign = SignedFiles.create();
        good = ours.sign("redis", HERE);
    }

    @AfterAll
    static void end() {
        ours.close();
        foreign.close();
    }

    @Test
    void an_authority_of_our_own_is_trusted() throws PemException {
        try (var redis = TlsRedis.start(good, ours.authority());
                var bench = to(redis, trusting(ours.authority(), null, true)).awaitReached()) {
            assertThat(hit(bench)).isEqualTo(9);
            assertThat(String.valueOf(redis.server().command("CLIENT", "LIST")))
                    .contains("laddr=127.0.0.1:" + redis.port());
        }
    }

    @Test
    void a_certificate_that_nobody_we_know_has_signed_is_refused() {
        try (var redis = TlsRedis.start(good, ours.authority())) {
            assertRefused(
                    redis,
                    new RedisOptions.Tls(Authorities.ofJava(), null, false),
                    "its certificate is not signed by an authority that is trusted here (REDIS_TLS_CACERT)");
        }
    }

    @Test
    void a_certificate_that_has_expired_is_refused() throws PemException {
        try (var redis = TlsRedis.start(ours.signExpired("expired", HERE), ours.authority())) {
            assertRefused(redis, trusting(ours.authority(), null, true), "its certificate has expired (");
        }
    }

    @Test
    void a_certificate_for_another_host_is_refused_unless_names_do_not_count() throws PemException {
        try (var redis = TlsRedis.start(ours.sign("elsewhere", "elsewhere.example"), ours.authority())) {
            assertRefused(redis, trusting(ours.authority(), null, true), "its certificate is for another name: ");
            try (var bench = to(redis, trusting(ours.authority(), null, false)).awaitReached()) {
                assertThat(hit(bench)).isEqualTo(9);
            }
        }
    }

    @Test
    void a_redis_that_asks_who_we_are_is_shown_our_certificate() throws PemException {
        try (var redis = TlsRedis.start(good, ours.authority(), "--tls-auth-clients", "yes");
                var bench = to(redis, trusting(ours.authority(), identity(ours.sign("weir", HERE)), true))
                        .awaitReached()) {
            assertThat(hit(bench)).isEqualTo(9);
        }
    }

    @Test
    void a_redis_that_asks_who_we_are_takes_neither_silence_nor_a_strangers_certificate() throws PemException {
        try (var redis = TlsRedis.start(good, ours.authority(), "--tls-auth-clients", "yes")) {
            assertRefused(redis, trusting(ours.authority(), null, true), "it broke the TLS handshake off (");
            assertRefused(
                    redis,
                    trusting(ours.authority(), identity(foreign.sign("stranger", HERE)), true),
                    "it broke the TLS handshake off (");
        }
    }

    @Test
    void a_redis_that_wants_tls_is_told_apart() {
        try (var redis = TlsRedis.start(good, ours.authority());
                var bench = RedisBench.on(redis.port())) {
            assertTold(bench, "Redis at redis://127.0.0.1:" + redis.port() + " cannot be reached: " + SILENCE);
        }
    }

    @Test
    void a_redis_that_does_not_speak_tls_is_told_apart() throws PemException {
        try (var redis = RedisServer.start()) {
            var topology = new Topology.Single("rediss://" + redis.address());
            try (var bench = RedisBench.on(topology, trusting(ours.authority(), null, true))) {
                assertTold(bench, "Redis at rediss://" + redis.address() + " cannot be reached: " + SILENCE);
            }
        }
    }

    private static void assertRefused(TlsRedis redis, RedisOptions.Tls tls, String reason) {
        try (var bench = to(redis, tls)) {
            assertTold(bench, "Redis at rediss://127.0.0.1:" + redis.port() + " cannot be reached: " + reason);
        }
    }

    private static void assertTold(RedisBench bench, String sentence) {
        Eventually.await("the reason is told", () -> !bench.heard.isEmpty());
        assertThat(bench.heard.getFirst()).startsWith("lost: " + sentence).doesNotContain("\n");
    }

    private static RedisBench to(TlsRedis redis, RedisOptions.Tls tls) {
        return RedisBench.on(new Topology.Single("rediss://127.0.0.1:" + redis.port()), tls);
    }

    private static RedisOptions.Tls trusting(
            Path authority, @Nullable KeyManagerFactory identity, boolean isCheckingName) throws PemException {
        return new RedisOptions.Tls(Authorities.with(authority), identity, isCheckingName);
    }

    private static KeyManagerFactory identity(SignedFiles.Pair pair) throws PemException {
        return Identity.read(pair.certificate(), pair.key()).factory();
    }

    private static long hit(RedisBench bench) {
        byte[] key = "user".getBytes(StandardCharsets.US_ASCII);
        var check = Check.of(new CounterKey(key, key.length), Limit.fixedWindow(Quota.per(Unit.YEAR, 10)), 1);
        return bench.store
                .decide(Plan.of(List.of(check)))
                .toCompletableFuture()
                .orTimeout(5, TimeUnit.SECONDS)
                .thenApply(List::getFirst)
                .thenApply(Reading::remaining)
                .join();
    }
}
