package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Caller;
import dev.weir.testing.Http;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirProcess;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An operator asks a replica what became of a caller's hits, wherever they were counted. */
final class ExplainIT {
    private static final Map<String, String> RULES = Map.of("shop.yaml", """
        domain: shop
        descriptors:
          - { key: user, rate_limit: { unit: year, requests_per_unit: 3 } }
          - key: token
            rate_limit: { unit: hour, requests_per_unit: 3, algorithm: token_bucket, block_for: 10h }
          - key: address
            rate_limit: { unit: hour, requests_per_unit: 9, algorithm: sliding_window, precision: 1m }
        """);

    @Test
    void what_another_replica_counted_is_told_and_nothing_is_counted() {
        try (var redis = RedisServer.start();
                var other = WeirProcess.start(RULES, WeirProcess.on(redis));
                var caller = Caller.of(other);
                var weir = WeirProcess.start(RULES, WeirProcess.on(redis))) {
            explains(caller, weir);
        }
    }

    @Test
    void so_it_is_where_memory_counts() {
        try (var weir = WeirProcess.start(RULES);
                var caller = Caller.of(weir)) {
            explains(caller, weir);
        }
    }

    private static void explains(Caller caller, WeirProcess weir) {
        for (String key : List.of("user", "token", "address")) {
            caller.hit("shop", key, "eve");
            caller.hit("shop", key, "eve");
        }
        assertThat(counter(weir, "user"))
                .startsWith("shop; user=eve; 3 in 31536000 s: 2 of 3 hits used, 1 left; as if ");
        assertThat(counter(weir, "token"))
                .startsWith("shop; token=eve; 3 in 3600 s; token_bucket: 2 of 3 hits used, 1 left; as if ");
        assertThat(counter(weir, "address"))
                .startsWith("shop; address=eve; 9 in 3600 s; sliding_window: 2 of 9 hits used, 7 left; as if ");

        for (String key : List.of("user", "token")) {
            caller.hit("shop", key, "eve");
            caller.hit("shop", key, "eve");
        }
        assertThat(counter(weir, "user")).contains(": over its limit or locked, for ");
        assertThat(counter(weir, "token")).matches(".*: over its limit or locked, for 3(6000|59\\d\\d) s at least");
        assertThat(counter(weir, "address")).contains(": 2 of 9 hits used, 7 left; ");
    }

    private static String counter(WeirProcess weir, String key) {
        var page = Http.post(
                weir.debug("/explain"),
                "{\"domain\": \"shop\", \"descriptors\": [{\"entries\": [{\"key\": \"%s\", \"value\": \"eve\"}]}]}"
                        .formatted(key));
        assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
        assertThat(page.body()).contains("rule         " + key + "\n");
        return page.body()
                .lines()
                .filter(line -> line.startsWith("shop; "))
                .findFirst()
                .orElseThrow();
    }
}
