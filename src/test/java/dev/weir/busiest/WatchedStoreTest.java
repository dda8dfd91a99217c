package dev.weir.busiest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.decide.OneAnswerStore;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.StoreException;
import dev.weir.store.memory.ManualTicker;
import dev.weir.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is seen of a store while somebody watches it. Each counter admits two hits. */
final class WatchedStoreTest {
    private static final Limit TWO = Limit.fixedWindow(Quota.per(Unit.YEAR, 2));

    private final WatchedStore store =
            new WatchedStore(new MemoryStore(new ManualTicker(), 1_000, Long.MAX_VALUE), 3, () ->
                    (int) (Thread.currentThread().threadId() % 3));

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void hits_are_seen_from_the_beginning_to_the_end_and_those_that_are_over_by_themselves() {
        decide(hit("ann", 1));
        store.begin();
        decide(hit("ann", 1), hit("bob", 2));
        decide(hit("ann", 1));
        decide(hit("ann", 1));
        Seen seen = store.end();
        decide(hit("ann", 1));

        assertThat(seen.plans()).isEqualTo(3);
        assertThat(seen.hits().most(9)).containsExactly(busy("ann", 3), busy("bob", 2));
        assertThat(seen.over().most(9)).containsExactly(busy("ann", 2));
    }

    @Test
    void who_only_looks_is_not_seen_and_who_gives_back_hits_nothing() {
        store.begin();
        decide(hit("ann", 0), hit("bob", 0));
        decide(hit("ann", 0), Check.refund(key("bob"), TWO, 1));
        Seen seen = store.end();
        assertThat(seen.plans()).isEqualTo(1);
        assertThat(seen.hits().total()).isZero();
    }

    @Test
    void of_what_fails_only_that_is_seen_and_its_failure_is_handed_on_as_it_is() {
        var failure = StoreException.ofUnasked("the store is silent");
        var broken = new WatchedStore(new OneAnswerStore(CompletableFuture.failedFuture(failure)), 1, () -> 0);
        broken.begin();
        CompletionStage<List<Reading>> answer = broken.decide(Plan.of(List.of(hit("ann", 1))));
        assertThat(answer.toCompletableFuture().exceptionNow()).isSameAs(failure);
        CompletionStage<List<Reading>> look = broken.decide(Plan.of(List.of(hit("ann", 0))));
        assertThat(look.toCompletableFuture()).isCompletedExceptionally();
        Seen seen = broken.end();
        assertThat(seen.plans()).isZero();
        assertThat(seen.failures()).isEqualTo(1);
    }

    @Test
    void what_else_is_asked_goes_on_to_the_store() {
        var answers = new WatchedStore(new OneAnswerStore(CompletableFuture.completedFuture(List.of())), 1, () -> 0);
        assertThat(answers.forget(hit("ann", 1))).isCompletedWithValue(true);
        assertThat(answers.firstReached()).isCompleted();
        assertThat(answers.isReachable()).isTrue();
        decide(hit("ann", 1));
        assertThat(store.forget(hit("bob", 1))).isCompletedWithValue(false);
    }

    @Test
    void who_begins_anew_sees_nothing_of_before_and_who_never_began_sees_nothing() {
        store.begin();
        decide(hit("ann", 1));
        store.begin();
        decide(hit("bob", 1));
        assertThat(store.end().hits().most(9)).containsExactly(busy("bob", 1));
        assertThat(store.end().plans()).isZero();
    }

    @Test
    void questions_of_our_own_are_counted_and_not_seen() {
        store.begin();
        store.unwatched()
                .decide(Plan.of(List.of(hit("ann", 2))))
                .toCompletableFuture()
                .join();
        decide(hit("ann", 1));
        Seen seen = store.end();
        assertThat(seen.hits().most(9)).containsExactly(busy("ann", 1));
        assertThat(seen.over().most(9)).as("two were there already").containsExactly(busy("ann", 1));
    }

    @Test
    void of_many_threads_no_hit_is_lost() throws Exception {
        store.begin();
        try (var threads = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < 8; i++) {
                var _ = threads.submit(() -> {
                    for (int hits = 0; hits < 1_000; hits++) {
                        decide(hit("ann", 1));
                    }
                });
            }
        }
        assertThat(store.end().hits().most(1)).containsExactly(busy("ann", 8_000));
    }

    private void decide(Check... checks) {
        store.decide(Plan.of(List.of(checks))).toCompletableFuture().join();
    }

    private static Check hit(String name, long hits) {
        return Check.of(key(name), TWO, hits);
    }

    private static Busy busy(String name, long hits) {
        return new Busy(key(name), TWO, hits);
    }

    private static CounterKey key(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return new CounterKey(bytes, bytes.length);
    }
}
