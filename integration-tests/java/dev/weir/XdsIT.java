package dev.weir;

import static dev.weir.testing.Caller.descriptor;
import static dev.weir.testing.Caller.request;
import static io.grpc.health.v1.HealthCheckResponse.ServingStatus.NOT_SERVING;
import static io.grpc.health.v1.HealthCheckResponse.ServingStatus.SERVING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.AdsServer;
import dev.weir.testing.Caller;
import dev.weir.testing.Eventually;
import dev.weir.testing.Http;
import dev.weir.testing.RedisServer;
import dev.weir.testing.SignedFiles;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitConfig;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitPolicy;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitUnit;
import io.grpc.TlsServerCredentials;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The built service with rules from a control plane. */
final class XdsIT {
    private static final RateLimitRequest QUESTION = request("edge", descriptor("user", "ann"));

    @Test
    void the_environment_of_envoy_gateway_serves_what_is_pushed() throws IOException {
        try (var certificates = SignedFiles.create()) {
            servesWhatIsPushed(certificates);
        }
    }

    private static void servesWhatIsPushed(SignedFiles certificates) throws IOException {
        var server = certificates.sign("server", "127.0.0.1");
        try (var redis = RedisServer.start();
                var ads = AdsServer.start(TlsServerCredentials.newBuilder()
                        .keyManager(server.certificate().toFile(), server.key().toFile())
                        .trustManager(certificates.authority().toFile())
                        .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                        .build());
                var weir = WeirProcess.start(Map.of(), envoyGateway(ads, redis, certificates));
                var caller = Caller.of(weir, certificates.credentials())) {
            assertThat(ads.next().getNode().getId()).isEqualTo("envoy-ratelimit");
            ads.push("1", "one", limited(2));
            assertThat(ads.next().getVersionInfo()).isEqualTo("1");

            assertThat(List.of(code(caller), code(caller), code(caller)))
                    .containsExactly(
                            RateLimitResponse.Code.OK, RateLimitResponse.Code.OK, RateLimitResponse.Code.OVER_LIMIT);
            assertThat(Http.get(weir.debug("/rlconfig")).body())
                    .isEqualTo("edge.user: unit=YEAR requests_per_unit=2, shadow_mode: false, quota_mode: false\n");
            weir.awaitOutput(
                    "rules in force: 1 rule of 1 domain from 1 resource, \"1\" of the control plane (version 1)");

            ads.push("2", "two", limited(2).toBuilder().setDomain("").build());
            assertThat(ads.next().getErrorDetail().getMessage())
                    .isEqualTo("resource edge: domain: the resource names no domain; write `domain: <name>`");
            weir.awaitOutput("those of version 1 stay in force");
            assertThat(Http.get(weir.debug("/stats")).body())
                    .contains("weir.rules.refused: 1\n", "weir.controlplane.connected: 1\n");
            assertThat(code(caller)).isEqualTo(RateLimitResponse.Code.OVER_LIMIT);
            assertThat(weir.stop()).isZero();
        }
    }

    /** A route without a host is called {@code *} in its name, which Envoy Gateway makes both key and value. */
    @Test
    void routes_that_envoy_gateway_calls_with_a_star_are_limited_each_by_itself() {
        try (var ads = AdsServer.start();
                var weir = WeirProcess.launch(
                        Map.of(),
                        Map.of("CONFIG_TYPE", "GRPC_XDS_SOTW", "CONFIG_GRPC_XDS_SERVER_URL", ads.address()))) {
            ads.next();
            String any = "httproute/default/backend/rule/0/match/0/*";
            String some = "httproute/default/backend/rule/1/match/0/*_example_com";
            ads.push(
                    "1",
                    "one",
                    RateLimitConfig.newBuilder()
                            .setName("default/eg/http")
                            .setDomain("default/eg/http")
                            .addDescriptors(route(any, 1))
                            .addDescriptors(route(some, 2))
                            .build());
            assertThat(ads.next().getVersionInfo()).isEqualTo("1");
            weir.awaitHealthy();
            assertThat(List.of(answer(weir, any), answer(weir, any))).containsExactly(200, 429);
            assertThat(List.of(answer(weir, some), answer(weir, some), answer(weir, some)))
                    .containsExactly(200, 200, 429);
            assertThat(answer(weir, any.replace("*", "www_example_com"))).isEqualTo(200);
            String path = "default/eg/http.%1$s_%1$s.rule-0-match-0_rule-0-match-0";
            assertThat(Http.get(weir.debug("/rlconfig")).body())
                    .contains(path.formatted(any) + ": unit=YEAR requests_per_unit=1,")
                    .contains(path.formatted(some) + ": unit=YEAR requests_per_unit=2,");
            assertThat(Http.get(weir.debug("/stats")).body())
                    .contains("ratelimit.service.rate_limit." + path.formatted(any) + ".over_limit: 1\n")
                    .contains("ratelimit.service.rate_limit." + path.formatted(some) + ".total_hits: 3\n");
        }
    }

    private static RateLimitDescriptor route(String name, int hits) {
        var rule = RateLimitDescriptor.newBuilder()
                .setKey("rule-0-match-0")
                .setValue("rule-0-match-0")
                .setRateLimit(
                        RateLimitPolicy.newBuilder().setUnit(RateLimitUnit.YEAR).setRequestsPerUnit(hits));
        return RateLimitDescriptor.newBuilder()
                .setKey(name)
                .setValue(name)
                .addDescriptors(rule)
                .build();
    }

    private static int answer(WeirProcess weir, String route) {
        return Http.post(weir.http("/json"), """
                {"domain": "default/eg/http", "descriptors": [{"entries": [
                  {"key": "%s", "value": "%s"}, {"key": "rule-0-match-0", "value": "rule-0-match-0"}]}]}
                """.formatted(route, route)).statusCode();
    }

    @Test
    void pushes_under_load_disturb_nobody() {
        try (var ads = AdsServer.start();
                var weir = WeirProcess.launch(
                        Map.of(), Map.of("CONFIG_TYPE", "GRPC_XDS_SOTW", "CONFIG_GRPC_XDS_SERVER_URL", ads.address()));
                var caller = Caller.of(weir)) {
            ads.next();
            ads.push("0", "nonce 0", limited(1_000_000));
            ads.next();
            weir.awaitHealthy();
            var answered = new AtomicLong();
            var isOver = new AtomicBoolean();
            var load = CompletableFuture.runAsync(() -> {
                while (!isOver.get()) {
                    assertThat(caller.ask(QUESTION).getOverallCode()).isEqualTo(RateLimitResponse.Code.OK);
                    answered.incrementAndGet();
                }
            });
            for (int push = 1; push <= 50; push++) {
                long before = answered.get();
                ads.push("" + push, "nonce " + push, limited(1_000_000 + push));
                assertThat(ads.next().getResponseNonce()).isEqualTo("nonce " + push);
                Eventually.await("answers go on", () -> answered.get() > before || load.isDone());
            }
            isOver.set(true);
            load.join();
            assertThat(caller.ask(QUESTION).getStatuses(0).getCurrentLimit().getRequestsPerUnit())
                    .isEqualTo(1_000_050);
        }
    }

    @Test
    void health_waits_for_the_first_word_of_the_control_plane() {
        try (var ads = AdsServer.start();
                var weir = WeirProcess.launch(
                        Map.of(), Map.of("CONFIG_TYPE", "GRPC_XDS_SOTW", "CONFIG_GRPC_XDS_SERVER_URL", ads.address()));
                var caller = Caller.of(weir)) {
            ads.next();
            weir.awaitOutput("debug on ");
            assertThat(caller.health()).containsOnly(NOT_SERVING);
            assertThat(Http.get(weir.http("/healthcheck")).statusCode()).isEqualTo(500);
            ads.push("1", "one");
            ads.next();
            weir.awaitHealthy();
            assertThat(caller.health()).containsOnly(SERVING);
            assertThat(caller.ask(QUESTION).getOverallCode())
                    .as("no domain is no limit")
                    .isEqualTo(RateLimitResponse.Code.OK);
        }
    }

    @Test
    void a_domain_is_waited_for_where_that_is_asked() {
        try (var ads = AdsServer.start();
                var weir = WeirProcess.launch(
                        Map.of(),
                        Map.of(
                                "CONFIG_TYPE", "GRPC_XDS_SOTW",
                                "CONFIG_GRPC_XDS_SERVER_URL", ads.address(),
                                "FORCE_START_WITHOUT_INITIAL_CONFIG", "true",
                                "HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED", "true"));
                var caller = Caller.of(weir)) {
            ads.next();
            weir.awaitOutput("debug on ");
            ads.push("1", "one");
            ads.next();
            weir.awaitOutput("rules in force: 0 rules ");
            assertThat(caller.health()).containsOnly(NOT_SERVING);
            ads.push("2", "two", limited(5));
            weir.awaitHealthy();
        }
    }

    @Test
    void files_of_tls_that_are_not_there_stop_the_start_with_a_sentence() {
        var environment = Map.of(
                "CONFIG_TYPE", "GRPC_XDS_SOTW",
                "CONFIG_GRPC_XDS_SERVER_USE_TLS", "true",
                "CONFIG_GRPC_XDS_SERVER_TLS_CACERT", "/nowhere/ca.crt");
        try (var weir = WeirProcess.launch(Map.of(), environment)) {
            assertThat(weir.awaitEnd()).isEqualTo(1);
            assertThat(weir.output())
                    .contains("Weir cannot start: CONFIG_GRPC_XDS_SERVER_TLS_CACERT names /nowhere/ca.crt: there is no"
                            + " such file.");
        }
    }

    /** All that Envoy Gateway sets, with the addresses and folders of this test. */
    private static Map<String, String> envoyGateway(AdsServer ads, RedisServer redis, SignedFiles certificates) {
        var own = certificates.signOlder("tls", "127.0.0.1");
        var all = new HashMap<String, String>();
        all.putAll(Map.of("RUNTIME_ROOT", "/data", "RUNTIME_SUBDIRECTORY", "ratelimit"));
        all.putAll(Map.of("RUNTIME_IGNOREDOTFILES", "true", "RUNTIME_WATCH_ROOT", "false"));
        all.putAll(Map.of("LOG_LEVEL", "info", "USE_STATSD", "false", "CONFIG_TYPE", "GRPC_XDS_SOTW"));
        all.put("CONFIG_GRPC_XDS_SERVER_URL", ads.address());
        all.put("CONFIG_GRPC_XDS_NODE_ID", "envoy-ratelimit");
        all.put("GRPC_SERVER_USE_TLS", "true");
        all.put("GRPC_SERVER_TLS_CERT", own.certificate().toString());
        all.put("GRPC_SERVER_TLS_KEY", own.key().toString());
        all.put("GRPC_SERVER_TLS_CA_CERT", certificates.authority().toString());
        all.put("CONFIG_GRPC_XDS_SERVER_USE_TLS", "true");
        all.put("CONFIG_GRPC_XDS_CLIENT_TLS_CERT", own.certificate().toString());
        all.put("CONFIG_GRPC_XDS_CLIENT_TLS_KEY", own.key().toString());
        all.put("CONFIG_GRPC_XDS_SERVER_TLS_CACERT", certificates.authority().toString());
        all.put("FORCE_START_WITHOUT_INITIAL_CONFIG", "true");
        all.putAll(Map.of("REDIS_SOCKET_TYPE", "tcp", "REDIS_URL", redis.address()));
        all.put("BACKEND_TYPE", WeirProcess.UNSET);
        all.put("STORE_TIMEOUT", "1s"); // it is asked before it is warm
        return all;
    }

    private static RateLimitResponse.Code code(Caller caller) {
        return caller.ask(QUESTION).getOverallCode();
    }

    private static RateLimitConfig limited(int hits) {
        return RateLimitConfig.newBuilder()
                .setName("edge")
                .setDomain("edge")
                .addDescriptors(RateLimitDescriptor.newBuilder()
                        .setKey("user")
                        .setRateLimit(RateLimitPolicy.newBuilder()
                                .setUnit(RateLimitUnit.YEAR)
                                .setRequestsPerUnit(hits)))
                .build();
    }
}
