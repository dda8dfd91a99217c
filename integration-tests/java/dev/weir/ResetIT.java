package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Caller;
import dev.weir.testing.Counts;
import dev.weir.testing.Eventually;
import dev.weir.testing.Http;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A caller is over its limit, and an operator lets it in again. */
final class ResetIT {
    private static final String TOKEN = "0123456789-abcdef";
    private static final Map<String, String> RULES = Map.of("shop.yaml", """
        domain: shop
        descriptors:
          - { key: user, rate_limit: { unit: year, requests_per_unit: 3 } }
          - key: token
            rate_limit: { unit: hour, requests_per_unit: 3, algorithm: token_bucket, block_for: 10h }
        """);

    @Test
    void where_memory_counts_the_next_hit_is_the_first() {
        try (var weir = WeirProcess.start(RULES, Map.of("ADMIN_TOKEN", TOKEN));
                var caller = Caller.of(weir)) {
            assertThat(reset(weir, "user", "eve").body())
                    .isEqualTo("shop; user=eve; 3 in 31536000 s: there was none\n");
            exhaust(caller, "user");
            exhaust(caller, "token");
            assertThat(reset(weir, "user", "eve").body()).isEqualTo("shop; user=eve; 3 in 31536000 s: forgotten\n");
            assertThat(reset(weir, "token", "eve").body())
                    .isEqualTo("shop; token=eve; 3 in 3600 s; token_bucket: forgotten\n");
            exhaust(caller, "user");
            exhaust(caller, "token");
        }
    }

    @Test
    void replicas_that_share_a_redis_let_the_caller_in_at_once_or_within_the_second_for_which_they_remember() {
        try (var redis = RedisServer.start()) {
            var environment = new HashMap<>(WeirProcess.on(redis));
            try (var other = WeirProcess.start(RULES, environment);
                    var callerOfOther = Caller.of(other)) {
                environment.putAll(Map.of("ADMIN_TOKEN", TOKEN, "LOG_LEVEL", "error"));
                try (var weir = WeirProcess.start(RULES, environment);
                        var caller = Caller.of(weir)) {
                    for (String key : new String[] {"user", "token"}) {
                        exhaust(caller, key);
                        assertThat(callerOfOther.hit("shop", key, "eve").getCode())
                                .isEqualTo(Code.OVER_LIMIT);
                        assertThat(reset(weir, key, "eve").statusCode()).isEqualTo(200);
                        exhaust(caller, key);
                        assertThat(reset(weir, key, "eve").statusCode()).isEqualTo(200);
                        Eventually.await(
                                "the other replica has forgotten it",
                                () -> callerOfOther.hit("shop", key, "eve").getCode() == Code.OK);
                    }
                    assertThat((Long) redis.command("TTL", Counts.key(redis, "user")))
                            .as("begun anew, it ends again")
                            .isPositive();
                    assertThat(weir.output())
                            .contains("127.0.0.1 resets shop; user=eve; 3 in 31536000 s")
                            .doesNotContain(TOKEN);
                    assertThat(reset(other, "user", "eve").statusCode())
                            .as("it has no token")
                            .isEqualTo(403);
                }
            }
        }
    }

    @Test
    void who_cannot_be_sure_is_told() {
        try (var redis = RedisServer.start();
                var weir = WeirProcess.start(RULES, withToken(redis));
                var caller = Caller.of(weir)) {
            exhaust(caller, "user");
            redis.stop();
            HttpResponse<String> answer = reset(weir, "user", "eve");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body())
                    .startsWith("shop; user=eve; 3 in 31536000 s: Redis ")
                    .endsWith("; nobody knows whether it is forgotten\n");
        }
    }

    private static Map<String, String> withToken(RedisServer redis) {
        var environment = new HashMap<>(WeirProcess.on(redis));
        environment.put("ADMIN_TOKEN", TOKEN);
        return environment;
    }

    /** Three hits may pass, and the fourth may not. */
    private static void exhaust(Caller caller, String key) {
        for (int i = 0; i < 3; i++) {
            assertThat(caller.hit("shop", key, "eve").getCode()).isEqualTo(Code.OK);
        }
        assertThat(caller.hit("shop", key, "eve").getCode()).isEqualTo(Code.OVER_LIMIT);
    }

    private static HttpResponse<String> reset(WeirProcess weir, String key, String value) {
        String body = """
                {"domain": "shop", "descriptors": [{"entries": [{"key": "%s", "value": "%s"}]}]}
                """.formatted(key, value);
        return Http.post(weir.debug("/reset"), body, "Authorization", "Bearer " + TOKEN);
    }
}
