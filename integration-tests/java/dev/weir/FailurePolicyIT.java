package dev.weir;

import static dev.weir.testing.Caller.descriptor;
import static dev.weir.testing.Caller.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Caller;
import dev.weir.testing.Counts;
import dev.weir.testing.Eventually;
import dev.weir.testing.Http;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.grpc.Status;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two Weirs lose the Redis that they share, and each rule says what is answered then. */
final class FailurePolicyIT {
    private static final Map<String, String> RULES = Map.of("shop.yaml", """
        domain: shop
        descriptors:
          - { key: login, on_store_failure: deny, rate_limit: { unit: year, requests_per_unit: 10 } }
          - { key: search, on_store_failure: allow, rate_limit: { unit: year, requests_per_unit: 10 } }
          - { key: page, on_store_failure: local, rate_limit: { unit: year, requests_per_unit: 10 } }
          - { key: cart, rate_limit: { unit: year, requests_per_unit: 10 } }
        """);
    private static final String ONE_LOGIN = """
        {"domain": "shop", "descriptors": [{"entries": [{"key": "login", "value": "ann"}]}]}
        """;

    private static final RateLimitDescriptor CART = descriptor("cart", "ann");

    private RedisServer redis;
    private WeirProcess one;
    private WeirProcess other;
    private Caller first;
    private Caller second;

    @BeforeEach
    void start() {
        redis = RedisServer.start();
        one = WeirProcess.start(RULES, WeirProcess.on(redis));
        other = WeirProcess.start(RULES, WeirProcess.on(redis));
        first = Caller.of(one);
        second = Caller.of(other);
    }

    @AfterEach
    void end() {
        first.close();
        second.close();
        one.close();
        other.close();
        redis.close();
    }

    @Test
    void each_rule_is_answered_by_its_policy_until_redis_is_back() {
        awaitTwoReplicas(one);
        awaitTwoReplicas(other);
        assertThat(left(first, "login", "ann")).isEqualTo(9);
        assertThat(left(first, "page", "ann")).isEqualTo(9);

        redis.stop();
        var denied = first.hit("shop", "login", "ann");
        assertThat(denied.getCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(denied.getCurrentLimit().getRequestsPerUnit()).isEqualTo(10);
        assertThat(denied.getLimitRemaining()).isZero();
        assertThat(denied.getDurationUntilReset().getSeconds()).isEqualTo(1);
        assertThat(Http.post(one.http("/json"), ONE_LOGIN).statusCode()).isEqualTo(429);

        var allowed = first.hit("shop", "search", "ann");
        assertThat(allowed.getCode()).isEqualTo(Code.OK);
        assertThat(allowed.hasCurrentLimit()).isFalse();

        assertThat(first.failureOf(request("shop", CART)).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        var both = first.ask("shop", CART, descriptor("login", "ann"));
        assertThat(both.getOverallCode()).isEqualTo(Code.OVER_LIMIT);

        for (Caller caller : new Caller[] {first, second}) {
            for (int left = 4; left >= 0; left--) {
                assertThat(left(caller, "page", "ann")).as("half of ten").isEqualTo(left);
            }
            assertThat(caller.hit("shop", "page", "ann").getCode()).isEqualTo(Code.OVER_LIMIT);
        }

        assertThat(withoutStore("deny")).isEqualTo(3);
        assertThat(withoutStore("allow")).isEqualTo(1);
        assertThat(withoutStore("local")).isEqualTo(6);
        assertThat(withoutStore("error")).as("beside one that was denied").isEqualTo(1);
        assertThat(Counts.statistic(one, "weir.requests{outcome=store_failure}"))
                .isEqualTo(1);
        assertThat(Counts.statistic(one, "weir.replicas")).as("as it was").isEqualTo(2);
        assertThat(one.output())
                .contains("requests are answered as on_store_failure says: ")
                .doesNotContain("\tat ");

        redis.restart();
        Eventually.await("Redis counts again", () -> first.isAnswered(request("shop", CART)));
        assertThat(left(first, "login", "eve")).isEqualTo(9);
        assertThat(left(second, "login", "eve")).isEqualTo(8);
        assertThat(left(second, "page", "eve")).isEqualTo(9);
    }

    private static void awaitTwoReplicas(WeirProcess weir) {
        Eventually.await("both are counted", () -> Counts.statistic(weir, "weir.replicas") == 2);
    }

    private long withoutStore(String policy) {
        return Counts.statistic(one, "weir.descriptors.without.store{policy=" + policy + "}");
    }

    /** Hits, and returns what is left. */
    private static int left(Caller caller, String key, String value) {
        return caller.hit("shop", key, value).getLimitRemaining();
    }
}
