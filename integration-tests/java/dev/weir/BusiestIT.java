package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Caller;
import dev.weir.testing.Counts;
import dev.weir.testing.Http;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirProcess;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** An operator asks who it is. */
final class BusiestIT {
    private static final Map<String, String> RULES = Map.of("shop.yaml", """
        domain: shop
        descriptors:
          - { key: user, rate_limit: { unit: year, requests_per_unit: 3 } }
        """);

    @Test
    void who_asks_most_is_named_and_so_is_who_is_over_though_redis_hears_of_few() {
        try (var redis = RedisServer.start()) {
            var environment = new HashMap<>(WeirProcess.on(redis));
            environment.put("STORE_TIMEOUT", "5s");
            try (var weir = WeirProcess.start(RULES, environment);
                    var caller = Caller.of(weir)) {
                watch(redis, weir, caller);
            }
        }
    }

    private static void watch(RedisServer redis, WeirProcess weir, Caller caller) {
        var page = CompletableFuture.supplyAsync(
                () -> Http.get(weir.debug("/busiest")).body());
        for (int user = 0; !page.isDone(); user++) {
            caller.hit("shop", "user", "eve");
            caller.hit("shop", "user", "eve");
            caller.hit("shop", "user", "another " + user);
        }
        assertThat(page.join().lines().filter(line -> line.contains("user=")))
                .first()
                .asString()
                .endsWith("  shop; user=eve; 3 in 31536000 s");
        assertThat(page.join().lines().dropWhile(line -> !line.contains("over/s")))
                .hasSize(2)
                .last()
                .asString()
                .endsWith("  shop; user=eve; 3 in 31536000 s");
        assertThat(Counts.counted(redis, "eve")).as("a hit or two in a second").isLessThan(100);
    }
}
