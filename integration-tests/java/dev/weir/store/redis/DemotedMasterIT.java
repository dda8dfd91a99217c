package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.StoreContract;
import dev.weir.testing.Eventually;
import dev.weir.testing.MostlyWaits;
import dev.weir.testing.RedisServer;
import dev.weir.testing.RedisVersion;
import dev.weir.testing.RedisVersions;
import dev.weir.testing.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A master that lives on as a replica behind an address that leads to another by now: no connection ends, and nobody tells. */
@MostlyWaits
final class DemotedMasterIT {
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Limit PLENTY = Limit.fixedWindow(Quota.per(Unit.YEAR, 1_000_000));

    static List<RedisVersion> versions() {
        return RedisVersions.available();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void is_left_for_the_new_one_by_every_thread(RedisVersion version) {
        try (var before = RedisServer.start(version);
                var after = RedisServer.start(version);
                var proxy = TcpProxy.to(before.port());
                var bench = RedisBench.on(proxy.port(), SHORT).awaitReached()) {
            assertThat(ask(bench)).succeedsWithin(Eventually.DEADLINE);
            proxy.leadTo(after.port());
            before.command("REPLICAOF", "127.0.0.1", Integer.toString(after.port()));
            for (int i = 0; i < bench.loops.count(); i++) {
                int thread = i;
                Eventually.await("thread " + thread + " is answered", () -> isAnswered(bench, thread));
            }
            assertThat(bench.awaitHeard("lost: ")).startsWith("lost: Redis could not use a counter: READONLY");
            var _ = bench.awaitHeard("reached"); // of the new one
        }
    }

    private static boolean isAnswered(RedisBench bench, int thread) {
        var isAnswered = new CompletableFuture<Boolean>();
        bench.loops.loop(thread).execute(() -> {
            var _ = ask(bench).whenComplete((_, failure) -> isAnswered.complete(failure == null));
        });
        return isAnswered.join();
    }

    private static CompletableFuture<List<Reading>> ask(RedisBench bench) {
        return bench.store
                .decide(Plan.of(List.of(Check.of(StoreContract.key("a"), PLENTY, 1))))
                .toCompletableFuture();
    }
}
