package dev.weir.store.memory;

import static dev.weir.store.StoreContract.NOON_MICROS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.StoreContract;
import dev.weir.store.StoreException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store whose room in bytes is taken: what it has goes on, and what is new fails. */
final class FullMemoryStoreTest {
    private static final long BYTES = 1 << 20;
    private static final Limit ONE_AN_HOUR = Limit.fixedWindow(Quota.per(Unit.HOUR, 1));

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore store = new MemoryStore(ticker, Integer.MAX_VALUE, BYTES);

    @BeforeEach
    void begin() {
        ticker.set(NOON_MICROS);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void a_refusal_locks_a_counter_that_exists() {
        var login = new Limit(Quota.per(Unit.MINUTE, 5), new Algorithm.FixedWindow(), Charge.ALWAYS, 1_800);
        for (int i = 0; i < 500; i++) {
            hit("login" + i, login, 5);
        }
        fill();
        for (int i = 0; i < 500; i++) {
            assertThat(hit("login" + i, login, 1).retryMicros()).isEqualTo(1_800_000_000L);
        }
    }

    @Test
    void a_log_that_exists_fills_up_to_its_limit() {
        var log = Limit.of(Quota.per(Unit.HOUR, 500), new Algorithm.SlidingLog());
        hit("log", log, 1);
        fill();
        for (int i = 1; i < 500; i++) {
            assertThat(hit("log", log, 1).remaining()).isEqualTo(499 - i);
        }
        assertThat(hit("log", log, 1).isAdmitted()).isFalse();
    }

    @Test
    void logs_of_large_limits_fill_no_more_than_a_sixteenth_beyond() {
        var log = Limit.of(Quota.per(Unit.HOUR, 1_000_000), new Algorithm.SlidingLog());
        hit("log", log, 1);
        fill();
        long[] admitted = {1};
        assertThatThrownBy(() -> {
                    while (hit("log", log, 1).isAdmitted()) {
                        admitted[0]++;
                    }
                })
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(StoreException.class);
        assertThat(admitted[0]).isBetween(BYTES / 64 / 16, BYTES / 16 / 16);
        assertThat(hit("log", log, 0).remaining()).isEqualTo(1_000_000 - admitted[0]);
    }

    @Test
    void what_is_forgotten_leaves_room_for_as_many() {
        fill();
        int most = store.size();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < most; i++) {
                assertThat(forget("user" + i)).isTrue();
            }
            assertThat(store.size()).isZero();
            fill();
            assertThat(store.size()).isEqualTo(most);
        }
        assertThat(forget("user0")).isTrue();
        assertThat(hit("another", ONE_AN_HOUR, 1).isAdmitted()).isTrue();
    }

    @Test
    void who_looked_for_room_or_forgot_a_counter_is_in_the_way_of_no_other_thread() {
        fill();
        assertThat(forget("user0")).isTrue();
        var others = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < 5_000; i++) {
                hit("user" + i, ONE_AN_HOUR, 1);
            }
        });
        assertThat(others).succeedsWithin(30, TimeUnit.SECONDS);
    }

    private boolean forget(String counter) {
        return store.forget(Check.of(StoreContract.key(counter), ONE_AN_HOUR, 1))
                .toCompletableFuture()
                .join();
    }

    private void fill() {
        assertThatThrownBy(() -> {
                    for (int i = 0; ; i++) {
                        hit("user" + i, ONE_AN_HOUR, 1);
                    }
                })
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("WEIR_HEAP");
    }

    private Reading hit(String counter, Limit limit, long hits) {
        return store.decide(Plan.of(List.of(Check.of(StoreContract.key(counter), limit, hits))))
                .toCompletableFuture()
                .join()
                .getFirst();
    }
}
