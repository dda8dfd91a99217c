package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Caller;
import dev.weir.testing.Eventually;
import dev.weir.testing.Http;
import dev.weir.testing.MostlyWaits;
import dev.weir.testing.RedisRights;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirProcess;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An operator changes limits while the service runs, and the files say something else. */
@MostlyWaits
final class KeptRulesIT {
    private static final String TOKEN = "0123456789-abcdef";
    private static final Map<String, String> RULES =
            Map.of("shop.yaml", domain("shop", 1_000), "bank.yaml", domain("bank", 2_000));

    @Test
    void where_memory_counts_they_hold_until_they_are_deleted() {
        var environment = Map.of("RULES_IN_STORE", "true", "ADMIN_TOKEN", TOKEN, "LOG_LEVEL", "warn");
        try (var weir = WeirProcess.start(RULES, environment);
                var caller = Caller.of(weir)) {
            assertThat(limit(caller, "shop")).isEqualTo(1_000);
            assertThat(put(weir, domain("shop", 3)).statusCode()).isEqualTo(201);
            awaitLimit(caller, "shop", 3);
            assertThat(limit(caller, "bank")).as("of the files, as before").isEqualTo(2_000);
            assertThat(Http.get(weir.debug("/rlconfig")).body()).contains("requests_per_unit=3,");
            assertThat(put(weir, domain("late", 4)).statusCode()).isEqualTo(201);
            awaitLimit(caller, "late", 4);
            assertThat(delete(weir, "shop").statusCode()).isEqualTo(200);
            awaitLimit(caller, "shop", 1_000);
            assertThat(limit(caller, "late")).isEqualTo(4);
            weir.awaitOutput("shop.yaml: the domain `shop` is not in force as it stands here");
            assertThat(weir.output())
                    .contains(
                            "RULES_IN_STORE is \"true\": rules that are put end with this process (BACKEND_TYPE=memory)",
                            "127.0.0.1 puts the rules of shop in the store (revision ",
                            "127.0.0.1 deletes the rules of shop in the store (revision ")
                    .doesNotContain(TOKEN);
        }
    }

    @Test
    void what_would_not_come_into_force_is_refused_and_a_bad_file_is_named() {
        var environment = Map.of("RULES_IN_STORE", "true", "ADMIN_TOKEN", TOKEN);
        try (var weir = WeirProcess.start(RULES, environment);
                var caller = Caller.of(weir)) {
            HttpResponse<String> wrong = put(weir, domain("shop", 3).replace("hour", "hours"));
            assertThat(wrong.statusCode()).isEqualTo(400);
            assertThat(wrong.body()).startsWith("body:3:").contains("did you mean");
            weir.write("bank.yaml", "domain: bank\nrules: []\n");
            HttpResponse<String> hindered = put(weir, domain("shop", 3));
            assertThat(hindered.statusCode()).isEqualTo(400);
            assertThat(hindered.body()).contains("bank.yaml:2:1: ");
            weir.write("bank.yaml", domain("bank", 5));
            assertThat(put(weir, domain("shop", 3)).statusCode()).isEqualTo(201);
            awaitLimit(caller, "shop", 3);
            awaitLimit(caller, "bank", 5);
        }
    }

    @Test
    void all_replicas_have_them_also_one_that_joins_and_after_redis_has_lost_them() {
        try (var redis = RedisServer.start()) {
            var environment = environment(redis);
            try (var one = WeirProcess.start(RULES, environment);
                    var callerOfOne = Caller.of(one);
                    var other = WeirProcess.start(RULES, environment);
                    var callerOfOther = Caller.of(other)) {
                assertThat(put(one, domain("shop", 3)).statusCode()).isEqualTo(201);
                awaitLimit(callerOfOther, "shop", 3);
                awaitLimit(callerOfOne, "shop", 3);

                redis.command("FLUSHALL");
                Eventually.await(
                        "a replica has put them there again",
                        () -> Long.valueOf(1).equals(redis.command("HEXISTS", "weir:weir:rules", "text")));
                try (var joined = WeirProcess.start(RULES, environment);
                        var callerOfJoined = Caller.of(joined)) {
                    assertThat(limit(callerOfJoined, "shop"))
                            .as("from its first answer on")
                            .isEqualTo(3);
                    assertThat(put(joined, domain("shop", 4)).statusCode()).isEqualTo(200);
                    awaitLimit(callerOfOne, "shop", 4);
                    assertThat(delete(other, "shop").statusCode()).isEqualTo(200);
                    Stream.of(callerOfOne, callerOfOther, callerOfJoined)
                            .forEach(caller -> awaitLimit(caller, "shop", 1_000));
                }
                assertThat(one.output() + other.output())
                        .contains("the store has an older revision of the rules that are kept in it (0)");
            }
        }
    }

    @Test
    void a_replica_that_cannot_see_them_is_not_ready_and_says_why() {
        try (var redis = RedisServer.start()) {
            redis.command("SET", "weir:weir:rules", "of somebody else");
            try (var weir = WeirProcess.launch(RULES, environment(redis))) {
                weir.awaitOutput("the rules that are kept in the store cannot be seen: the key weir:weir:rules: ");
                Eventually.await(
                        "it says why",
                        () -> Http.get(weir.http("/readyz"))
                                .body()
                                .contains(
                                        "the rules that are kept in the store are not in force yet (RULES_IN_STORE)"));
                redis.command("DEL", "weir:weir:rules");
                weir.awaitHealthy();
                assertThat(put(weir, domain("shop", 3)).statusCode()).isEqualTo(201);
            }
        }
    }

    @Test
    void without_the_switch_there_are_none() {
        try (var weir = WeirProcess.start(RULES, Map.of("ADMIN_TOKEN", TOKEN))) {
            HttpResponse<String> answer = put(weir, domain("shop", 3));
            assertThat(answer.statusCode()).isEqualTo(404);
            assertThat(answer.body()).isEqualTo("no rules are kept in the store: RULES_IN_STORE is not true\n");
        }
    }

    /** The user of Redis has the rights that the page names. */
    private static Map<String, String> environment(RedisServer redis) {
        Stream<String> user = Stream.of("ACL", "SETUSER", "weir", "on", ">open-sesame", "~weir:*");
        redis.command(Stream.concat(user, Stream.of(RedisRights.OF_THE_PAGE.split(" ")))
                .toArray(String[]::new));
        var environment = new HashMap<>(WeirProcess.on(redis));
        environment.putAll(Map.of(
                "REDIS_AUTH", "weir:open-sesame",
                "CACHE_KEY_PREFIX", "weir:",
                "RULES_IN_STORE", "true",
                "ADMIN_TOKEN", TOKEN));
        return environment;
    }

    private static void awaitLimit(Caller caller, String domain, int limit) {
        Eventually.await(domain + " is limited to " + limit, () -> limit(caller, domain) == limit);
    }

    private static int limit(Caller caller, String domain) {
        return caller.hit(domain, "user", "ann").getCurrentLimit().getRequestsPerUnit();
    }

    private static HttpResponse<String> put(WeirProcess weir, String text) {
        return Http.send("PUT", weir.debug("/rules"), text, "Authorization", "Bearer " + TOKEN);
    }

    private static HttpResponse<String> delete(WeirProcess weir, String domain) {
        return Http.send("DELETE", weir.debug("/rules?domain=" + domain), "", "Authorization", "Bearer " + TOKEN);
    }

    private static String domain(String name, int limit) {
        return """
                domain: %s
                descriptors:
                  - { key: user, rate_limit: { unit: hour, requests_per_unit: %d } }
                """.formatted(name, limit);
    }
}
