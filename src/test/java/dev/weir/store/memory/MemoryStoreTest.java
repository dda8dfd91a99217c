package dev.weir.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreContract;
import dev.weir.store.StoreException;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class MemoryStoreTest implements StoreContract {
    private static final int ROOM = 1_000;
    private static final Limit ONE_A_SECOND = Limit.fixedWindow(Quota.per(Unit.SECOND, 1));

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore store = new MemoryStore(ticker, ROOM, Long.MAX_VALUE);

    @Override
    public Store store() {
        return store;
    }

    @Override
    public void at(long micros) {
        ticker.set(micros);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void a_counter_is_forgotten_when_its_window_is_over_and_not_before() {
        at(NOON_MICROS);
        for (int i = 0; i < 10; i++) {
            hit("second" + i, ONE_A_SECOND);
            hit("minute" + i, TEN_A_MINUTE);
        }
        at(NOON_MICROS + 999_999);
        store.sweep();
        assertThat(store.size()).isEqualTo(20);
        at(NOON_MICROS + 1_000_000);
        store.sweep();
        assertThat(store.size()).isEqualTo(10);
        at(NOON_MICROS + 60_000_000);
        store.sweep();
        assertThat(store.size()).isZero();
    }

    @Test
    void a_full_store_refuses_new_counters_and_goes_on_with_those_it_has() {
        at(NOON_MICROS);
        for (int i = 0; i < ROOM; i++) {
            hit("user" + i, TEN_A_MINUTE);
        }
        assertThatThrownBy(() -> hit("one more", TEN_A_MINUTE))
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("MEMORY_MAX_COUNTERS");
        assertThat(hit("user7", TEN_A_MINUTE).remaining()).isEqualTo(8);
        at(NOON_MICROS + 60_000_000);
        store.sweep();
        assertThat(hit("one more", TEN_A_MINUTE).remaining()).isEqualTo(9);
    }

    @Test
    void room_is_bounded_in_bytes_too() {
        at(NOON_MICROS);
        try (var small = new MemoryStore(ticker, ROOM, 1_000)) {
            var longKey = Check.of(StoreContract.key("k".repeat(700)), TEN_A_MINUTE, 1);
            var another = Check.of(StoreContract.key("l".repeat(700)), TEN_A_MINUTE, 1);
            assertThat(small.decide(Plan.of(List.of(longKey))).toCompletableFuture())
                    .isCompleted();
            assertThat(small.decide(Plan.of(List.of(another))).toCompletableFuture())
                    .isCompletedExceptionally();
            at(NOON_MICROS + 60_000_000);
            small.sweep();
            assertThat(small.decide(Plan.of(List.of(another))).toCompletableFuture())
                    .isCompleted();
        }
    }

    @Test
    void looks_and_refunds_create_nothing() {
        at(NOON_MICROS);
        store.decide(Plan.of(List.of(
                Check.of(StoreContract.key("a"), TEN_A_MINUTE, 0),
                Check.refund(StoreContract.key("a"), TEN_A_MINUTE, 3))));
        assertThat(store.size()).isZero();
    }

    @Test
    void threads_that_race_with_the_sweeper_lose_no_hit() throws InterruptedException {
        at(NOON_MICROS);
        var admitted = new AtomicInteger();
        try (var threads = Executors.newFixedThreadPool(4)) {
            for (int t = 0; t < 3; t++) {
                threads.execute(() -> {
                    for (int i = 0; i < 20_000; i++) {
                        if (hit("hot", TEN_A_MINUTE).isAdmitted()) {
                            admitted.incrementAndGet();
                        }
                    }
                });
            }
            threads.execute(() -> {
                for (int i = 0; i < 2_000; i++) {
                    store.sweep();
                }
            });
        }
        assertThat(admitted).hasValue(10);
        assertThat(store.size()).isEqualTo(1);
    }

    private Reading hit(String counter, Limit limit) {
        return store.decide(Plan.of(List.of(Check.of(StoreContract.key(counter), limit, 1))))
                .toCompletableFuture()
                .join()
                .getFirst();
    }
}
