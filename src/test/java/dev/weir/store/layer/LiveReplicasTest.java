package dev.weir.store.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Quota;
import dev.weir.logging.HeardLog;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreBusyException;
import dev.weir.store.StoreContract;
import dev.weir.store.StoreException;
import dev.weir.store.memory.ManualTicker;
import dev.weir.store.memory.MemoryStore;
import dev.weir.testing.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replicas beat once a second on a store that all of them share; its windows are ten seconds long. */
final class LiveReplicasTest {
    @RegisterExtension
    final HeardLog log = HeardLog.of(LiveReplicas.class);

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore shared = new MemoryStore(ticker, 1_000, Long.MAX_VALUE);
    private final List<LiveReplicas> live = new ArrayList<>();
    private long seconds;
    private long millis;
    private int secondsBack;

    LiveReplicasTest() {
        at(0);
    }

    @AfterEach
    void close() {
        shared.close();
    }

    @Test
    void those_who_join_are_counted_at_once() {
        join(1);
        beatUntil(2);
        assertThat(live.getFirst().count()).isEqualTo(1);
        join(2);
        beatUntil(5);
        assertThat(live).extracting(LiveReplicas::count).containsOnly(3);
    }

    @Test
    void who_reaches_the_store_knows_at_once_how_many_there_are() {
        var late = new LateStore(shared, new CompletableFuture<>(), new AtomicInteger());
        try (var replicas = LiveReplicas.watch(late)) {
            Eventually.await("it has asked in vain", () -> late.asked.get() > 0);
            assertThat(replicas.count()).isZero();
            late.reached.complete(null);
            assertThat(replicas.count()).isEqualTo(1);
        }
    }

    @Test
    void nobody_is_forgotten_where_one_window_ends_and_the_next_begins() {
        join(5);
        beatUntil(3);
        assertCountedEachSecond(4, 5);
    }

    @Test
    void who_beats_just_before_its_window_ends_hits_the_next_one() {
        millis = 900;
        at(0);
        join(1);
        assertCountedEachSecond(1, 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5, 8, 10, 15})
    void nobody_counts_twice_where_the_stores_clock_steps_back(int seconds) {
        join(2);
        beatUntil(6);
        secondsBack = seconds;
        assertCountedEachSecond(7, 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5, 8, 10, 15})
    void nobody_is_forgotten_where_it_steps_ahead(int seconds) {
        join(2);
        beatUntil(6);
        secondsBack = -seconds;
        assertCountedEachSecond(7, 2);
    }

    private void assertCountedEachSecond(int first, int replicas) {
        for (int second = first; second < 60; second++) {
            beatUntil(second);
            assertThat(live)
                    .as("second %d", second)
                    .extracting(LiveReplicas::count)
                    .containsOnly(replicas);
        }
    }

    @Test
    void those_who_leave_are_forgotten_after_a_minute() {
        join(4);
        beatUntil(14);
        live.removeLast();
        live.removeLast();
        beatUntil(50);
        assertThat(live).extracting(LiveReplicas::count).containsOnly(4);
        beatUntil(82);
        assertThat(live).extracting(LiveReplicas::count).containsOnly(2);
    }

    @Test
    void a_defect_costs_a_beat_and_is_told_once_in_a_row() {
        var failing = new SilentStore();
        var replicas = new LiveReplicas(failing, this::nanos);
        failing.atDecide = () -> {
            throw new OutOfMemoryError("Java heap space");
        };
        assertThat(replicas.upkeep.step()).isFalse();
        assertThat(replicas.upkeep.step()).isFalse();
        assertThat(log.lines()).containsExactly("ERROR a defect in the count of replicas");
        failing.atDecide = () -> {};
        assertThat(replicas.upkeep.step()).isTrue();
        assertThat(failing.asked).hasSize(1);
    }

    @Test
    void while_the_store_does_not_answer_the_last_number_stays() {
        at(5);
        var silent = new SilentStore();
        var lost = new LiveReplicas(silent, this::nanos);
        lost.beat();
        silent.asked.getFirst().complete(List.of(seen(2)));
        assertThat(lost.count()).isEqualTo(3);
        for (int i = 1; i < 40; i++) {
            at(5 + i);
            lost.beat();
            silent.asked.get(i).completeExceptionally(new StoreException("is gone"));
        }
        assertThat(lost.count()).isEqualTo(3);
    }

    @Test
    void a_hit_without_an_answer_may_have_been_counted_and_is_not_repeated_in_its_window() {
        var silent = new SilentStore();
        var lost = looked(silent);
        for (int second = 1; second <= 11; second++) {
            at(second);
            lost.beat();
            silent.asked.getLast().completeExceptionally(new StoreException("too late"));
        }
        assertThat(hitsIn(silent)).containsExactly(0L, 1L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 1L);
    }

    @Test
    void a_store_that_has_not_answered_yet_is_only_looked_at() {
        var silent = new SilentStore();
        var cold = new LiveReplicas(silent, this::nanos);
        for (int second = 0; second < 3; second++) {
            at(second);
            cold.beat();
            silent.asked.getLast().completeExceptionally(new StoreException("too late"));
        }
        at(3);
        cold.beat();
        silent.asked.getLast().complete(List.of(seen(2)));
        assertThat(cold.count()).as("the two that are there, and itself").isEqualTo(3);
        at(4);
        cold.beat();
        silent.asked.getLast().complete(List.of(seen(3)));
        assertThat(cold.count()).isEqualTo(3);
        assertThat(hitsIn(silent)).containsExactly(0L, 0L, 0L, 0L, 1L);
    }

    @Test
    void a_hit_that_was_surely_not_counted_is_repeated() {
        var silent = new SilentStore();
        var busy = looked(silent);
        for (int second = 1; second < 4; second++) {
            at(second);
            busy.beat();
            silent.asked
                    .getLast()
                    .completeExceptionally(
                            second == 1 ? new StoreBusyException() : StoreException.ofUnasked("not reached"));
        }
        assertThat(hitsIn(silent)).containsExactly(0L, 1L, 1L, 1L);
    }

    @Test
    void a_new_one_whose_hits_have_no_answer_counts_itself_beside_the_others() {
        var silent = new SilentStore();
        var fresh = looked(silent);
        at(2);
        fresh.beat(); // nobody knows what becomes of this hit
        at(3);
        fresh.beat();
        silent.asked.getLast().complete(List.of(seen(2)));
        assertThat(fresh.count()).isEqualTo(3);
        at(12);
        fresh.beat();
        silent.asked.getLast().complete(List.of(seen(3)));
        assertThat(fresh.count()).isEqualTo(3);
    }

    @Test
    void before_the_store_has_answered_nobody_knows() {
        assertThat(new LiveReplicas(shared, this::nanos).count()).isZero();
    }

    @Test
    void one_window_in_which_some_were_not_heard_of_changes_nothing() {
        join(3);
        beatUntil(12);
        var silentForAWhile = live.removeLast();
        beatUntil(35);
        assertThat(live).extracting(LiveReplicas::count).containsOnly(3);
        live.add(silentForAWhile);
        for (int second = 36; second < 120; second++) {
            beatUntil(second);
            assertThat(live)
                    .as("second %d", second)
                    .extracting(LiveReplicas::count)
                    .containsOnly(3);
        }
    }

    /** Returns one that has seen that there are two others. */
    private LiveReplicas looked(SilentStore silent) {
        var replicas = new LiveReplicas(silent, this::nanos);
        replicas.beat();
        silent.asked.getFirst().complete(List.of(seen(2)));
        return replicas;
    }

    private static Reading seen(long replicas) {
        return new Reading(true, Quota.MAX_HITS - replicas, 0, 7_000_000, 0, 0);
    }

    private static List<Long> hitsIn(SilentStore silent) {
        return silent.plans.stream()
                .map(plan -> plan.checks().getFirst().hits())
                .toList();
    }

    private void join(int more) {
        for (int i = 0; i < more; i++) {
            live.add(new LiveReplicas(shared, this::nanos));
        }
    }

    private void beatUntil(long second) {
        while (seconds < second) {
            at(seconds + 1);
            live.forEach(LiveReplicas::beat);
        }
    }

    private void at(long second) {
        seconds = second;
        ticker.set(StoreContract.NOON_MICROS
                + TimeUnit.NANOSECONDS.toMicros(nanos())
                - TimeUnit.SECONDS.toMicros(secondsBack));
    }

    private long nanos() {
        return TimeUnit.SECONDS.toNanos(seconds) + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Does not answer until it is reached. */
    private static final class LateStore extends Store.Layer {
        private final CompletableFuture<Void> reached;
        private final AtomicInteger asked;

        LateStore(Store next, CompletableFuture<Void> reached, AtomicInteger asked) {
            super(next);
            this.reached = reached;
            this.asked = asked;
        }

        @Override
        public CompletionStage<List<Reading>> decide(Plan plan) {
            asked.incrementAndGet();
            return reached.isDone()
                    ? next.decide(plan)
                    : CompletableFuture.failedFuture(StoreException.ofUnasked("there is no connection yet"));
        }

        @Override
        public CompletionStage<Void> firstReached() {
            return reached;
        }

        @Override
        public boolean isReachable() {
            return reached.isDone();
        }
    }
}
