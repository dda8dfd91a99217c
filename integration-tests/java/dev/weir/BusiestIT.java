package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Caller;
import dev.weir.testing.Counts;
import dev.weir.testing.Http;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirProcess;
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

    private static final String EVE = "  shop; user=eve; 3 in 31536000 s";

    @Test
    void who_asks_most_is_named_and_so_is_who_is_over_with_all_that_memory_refused() {
        try (var redis = RedisServer.start();
                var weir = WeirProcess.start(RULES, WeirProcess.on(redis));
                var caller = Caller.of(weir)) {
            watch(redis, weir, caller);
        }
    }

    private static void watch(RedisServer redis, WeirProcess weir, Caller caller) {
        var page = CompletableFuture.supplyAsync(
                () -> Http.get(weir.debug("/busiest")).body());
        int rounds = 0;
        while (!page.isDone()) {
            caller.hit("shop", "user", "eve");
            caller.hit("shop", "user", "eve");
            caller.hit("shop", "user", "another " + rounds);
            rounds++;
        }
        assertThat(page.join().lines().filter(line -> line.contains("user=")))
                .first()
                .asString()
                .endsWith(EVE);
        var over =
                page.join().lines().dropWhile(line -> !line.contains("over/s")).toList();
        assertThat(over).hasSize(2).last().asString().endsWith(EVE);

        // The rounds last longer than the look, and Redis counted only what memory did not refuse.
        double overPerSecond =
                Double.parseDouble(over.getLast().replace(EVE, "").replace(",", ""));
        assertThat(overPerSecond * 5).isBetween(2.0 * Counts.counted(redis, "eve"), 2.0 * rounds);
    }
}
