package dev.weir.store.redis;

import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.StoreContract;
import dev.weir.testing.RedisCluster;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Hits on counters that the tests call by a word, and how they end. */
final class Hits {
    /** Of a window that ends during no test. */
    private static final Limit TEN_A_YEAR = Limit.fixedWindow(Quota.per(Unit.YEAR, 10));

    /** The same, for which the short way does not do. */
    private static final Limit TEN_A_YEAR_ON_ADMIT =
            new Limit(TEN_A_YEAR.quota(), TEN_A_YEAR.algorithm(), Charge.ON_ADMIT, 0);

    private static final HashTags TAGS = new HashTags("", RedisBench.TAGS);
    private static final long PATIENCE_SECONDS = 10;

    private Hits() {}

    static Check check(String counter) {
        return check(counter, 1);
    }

    static Check check(String counter, long hits) {
        return Check.of(StoreContract.key(counter), TEN_A_YEAR, hits);
    }

    static Check onAdmit(String counter) {
        return Check.of(StoreContract.key(counter), TEN_A_YEAR_ON_ADMIT, 1);
    }

    static CompletableFuture<List<Reading>> ask(RedisBench bench, Plan plan) {
        return bench.store.decide(plan).toCompletableFuture();
    }

    static CompletableFuture<List<Reading>> ask(RedisBench bench, Check... checks) {
        return ask(bench, Plan.of(List.of(checks)));
    }

    static CompletableFuture<List<Reading>> ask(RedisBench bench, String counter) {
        return ask(bench, check(counter));
    }

    static Reading hit(RedisBench bench, String counter) {
        return readingOf(ask(bench, counter));
    }

    /** Waits for the answer of a single check. */
    static Reading readingOf(CompletableFuture<List<Reading>> asked) {
        return readingsOf(asked).getFirst();
    }

    static List<Reading> readingsOf(CompletableFuture<List<Reading>> asked) {
        return asked.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    }

    /** Waits for the failure of what must not be answered, and fails where it is. */
    static Throwable failureOf(CompletableFuture<List<Reading>> asked) {
        return asked.handle((_, failure) -> Optional.ofNullable(failure))
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join()
                .orElseThrow(() -> new AssertionError("answered " + asked.join()));
    }

    /** Returns the key in Redis of a counter. */
    static String redisKey(String counter) {
        return new String(TAGS.redisKey(StoreContract.key(counter)), StandardCharsets.ISO_8859_1);
    }

    /** Returns for each node the number of a user whose counter lives there. */
    static int[] counterOnEachNode(RedisCluster cluster) {
        return IntStream.range(0, 3)
                .map(node -> IntStream.iterate(0, i -> i + 1)
                        .filter(i -> cluster.ownerOf(slotOf("user" + i)) == node)
                        .findFirst()
                        .orElseThrow())
                .toArray();
    }

    /** Returns the slot of the cluster in which a counter lives. */
    static int slotOf(String counter) {
        return slotOf(StoreContract.key(counter));
    }

    static int slotOf(CounterKey key) {
        String tag = TAGS.tag(TAGS.tagOf(key));
        return HashTags.crc16(tag.substring(1, tag.length() - 1).getBytes(StandardCharsets.US_ASCII)) % 16_384;
    }
}
