package dev.weir;

import static dev.weir.testing.Caller.descriptor;
import static dev.weir.testing.Caller.request;
import static io.grpc.health.v1.HealthCheckResponse.ServingStatus.NOT_SERVING;
import static io.grpc.health.v1.HealthCheckResponse.ServingStatus.SERVING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testing.Caller;
import dev.weir.testing.Eventually;
import dev.weir.testing.Http;
import dev.weir.testing.RedisServer;
import dev.weir.testing.ServiceNames;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When Weir says that requests should come to it, over gRPC and over HTTP, which always agree. */
final class HealthIT {
    private static final Map<String, String> RULES = Map.of("edge.yaml", """
        domain: edge
        descriptors:
          - { key: user, rate_limit: { unit: year, requests_per_unit: 1000000 } }
        """);
    private static final RateLimitRequest QUESTION = request("edge", descriptor("user", "ann"));

    @Test
    void a_start_without_redis_opens_the_ports_and_becomes_well_by_itself() {
        try (var redis = RedisServer.start()) {
            redis.stop();
            try (var weir = WeirProcess.launch(RULES, on(redis));
                    var caller = Caller.of(weir)) {
                weir.awaitOutput("debug on ");
                assertUnwell(weir, caller, "the store was not reached yet");
                var failure = caller.failureOf(QUESTION);
                assertThat(failure.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
                assertThat(failure.getDescription())
                        .isEqualTo("Redis at redis://127.0.0.1:%d was not reached yet", redis.port());
                redis.restart();
                awaitWell(weir, caller);
                assertThat(caller.ask(QUESTION).getStatuses(0).getLimitRemaining())
                        .isEqualTo(999_999);
            }
        }
    }

    @Test
    void losing_redis_later_changes_nothing() {
        try (var redis = RedisServer.start();
                var weir = WeirProcess.start(RULES, on(redis, "STORE_TIMEOUT", "1s"));
                var caller = Caller.of(weir)) {
            awaitWell(weir, caller);
            redis.stop();
            weir.awaitOutput("trying again every second");
            assertWell(weir, caller);
            assertPage(weir, "/readyz?store", 503, "not ready: the store does not answer\n");
            assertThat(caller.failureOf(QUESTION).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertWell(weir, caller);
        }
    }

    @Test
    void losing_redis_later_is_shown_where_that_is_wished() {
        try (var redis = RedisServer.start();
                var weir = WeirProcess.start(RULES, on(redis, "REDIS_HEALTH_CHECK_ACTIVE_CONNECTION", "true"));
                var caller = Caller.of(weir)) {
            awaitWell(weir, caller);
            redis.stop();
            Eventually.await("Weir is not well", () -> !isWell(weir, caller));
            assertUnwell(weir, caller, "the store does not answer");
            redis.restart();
            awaitWell(weir, caller);
            assertPage(weir, "/readyz?store", 200, "ready\n");
        }
    }

    @Test
    void rules_are_waited_for_where_that_is_wished() {
        try (var weir = WeirProcess.launch(Map.of(), Map.of("HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED", "true"));
                var caller = Caller.of(weir)) {
            weir.awaitOutput("debug on ");
            assertUnwell(
                    weir,
                    caller,
                    "no rules of a domain are in force (HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED asks for some)");
            weir.awaitOutput("and not ready: no rules of a domain are in force");
            RULES.forEach(weir::write);
            awaitWell(weir, caller);
            weir.awaitOutput(" ready ");
        }
    }

    @Test
    void a_service_that_warms_up_is_alive_and_not_ready() {
        try (var weir = WeirProcess.launch(RULES, Map.of("WARM_UP", "5s"));
                var caller = Caller.of(weir)) {
            weir.awaitOutput("debug on ");
            assertUnwell(weir, caller, "the service warms up (WARM_UP)");
            awaitWell(weir, caller);
        }
    }

    @Test
    void the_end_is_announced_while_requests_are_still_answered() {
        try (var weir = WeirProcess.start(RULES, Map.of("DRAIN_DELAY", "4s"));
                var caller = Caller.of(weir)) {
            caller.ask(QUESTION);
            weir.terminate();
            Eventually.await("Weir is not well", () -> !isWell(weir, caller));
            assertUnwell(weir, caller, "the service ends");
            assertThat(caller.ask(QUESTION).getStatuses(0).getLimitRemaining()).isEqualTo(999_998);
            assertThat(weir.isAlive()).isTrue();
            assertThat(weir.awaitEnd()).isZero();
            assertThat(weir.output())
                    .contains("not healthy any more, answering for another 4 s", "Weir has ended")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void a_server_shows_what_it_is_to_whoever_asks() {
        try (var weir = WeirProcess.start(RULES);
                var caller = Caller.of(weir)) {
            assertThatThrownBy(() -> caller.health("envoy"))
                    .as("the health of a service that is not here")
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            failure -> assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND));
            assertThat(ServiceNames.reflectedBy(caller))
                    .contains("envoy.service.ratelimit.v3.RateLimitService", "grpc.health.v1.Health");
        }
    }

    private static Map<String, String> on(RedisServer redis, String... more) {
        var environment = new HashMap<String, String>();
        // Not WeirProcess.on(redis): a Redis that is stopped has no address to tell.
        environment.putAll(Map.of("BACKEND_TYPE", "redis", "REDIS_URL", "127.0.0.1:" + redis.port()));
        environment.put("STORE_TIMEOUT", "5s");
        for (int i = 0; i < more.length; i += 2) {
            environment.put(more[i], more[i + 1]);
        }
        return environment;
    }

    private static void awaitWell(WeirProcess weir, Caller caller) {
        weir.awaitHealthy();
        Eventually.await("gRPC says so too", () -> isWell(weir, caller));
        assertWell(weir, caller);
    }

    private static boolean isWell(WeirProcess weir, Caller caller) {
        return caller.health().equals(List.of(SERVING, SERVING))
                && Http.get(weir.http("/healthcheck")).statusCode() == 200;
    }

    private static void assertWell(WeirProcess weir, Caller caller) {
        assertThat(caller.health()).containsExactly(SERVING, SERVING);
        var page = Http.get(weir.http("/healthcheck"));
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).isEqualTo("OK");
        assertPage(weir, "/readyz", 200, "ready\n");
        assertPage(weir, "/livez", 200, "alive\n");
    }

    /** Whatever keeps requests away, a new start would not help. */
    private static void assertUnwell(WeirProcess weir, Caller caller, String reason) {
        // Both ways are asked until they agree: a change reaches one of them a moment before the other.
        Eventually.await(
                "both ways say so",
                () -> caller.health().equals(List.of(NOT_SERVING, NOT_SERVING))
                        && Http.get(weir.http("/healthcheck")).statusCode() == 500);
        assertThat(Http.get(weir.http("/healthcheck")).body()).isEmpty();
        assertPage(weir, "/readyz", 503, "not ready: " + reason + "\n");
        assertPage(weir, "/livez", 200, "alive\n");
    }

    private static void assertPage(WeirProcess weir, String path, int status, String body) {
        var page = Http.get(weir.http(path));
        assertThat(page.body()).as(path).isEqualTo(body);
        assertThat(page.statusCode()).as(path).isEqualTo(status);
    }
}
