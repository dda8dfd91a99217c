package dev.weir.store.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreContract;
import dev.weir.store.StoreException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the memory spares the store, and for how long. A second is 1,000,000 microseconds. */
final class OverLimitStoreTest implements StoreContract {
    private static final long SECOND = 1_000_000;

    private final OverLimitBench bench = new OverLimitBench();

    @Override
    public Store store() {
        return bench.store;
    }

    @Override
    public void at(long micros) {
        bench.at(micros);
    }

    @BeforeEach
    void noon() {
        at(NOON_MICROS);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void a_counter_that_is_over_is_asked_once_a_second_and_tells_the_time_that_is_left() {
        ask(TEN_A_MINUTE, 10);
        ask(TEN_A_MINUTE, 1); // refused, and remembered
        bench.sent.clear();
        //   at ms, refused for s
        refusedFromMemory(0, 60);
        refusedFromMemory(1, 59.999);
        refusedFromMemory(999, 59.001);
        at(NOON_MICROS + SECOND);
        assertThat(ask(TEN_A_MINUTE, 1).retryMicros()).isEqualTo(59 * SECOND);
        assertThat(bench.sent).as("asked again after a second").hasSize(1);
        refusedFromMemory(1_001, 58.999);
        assertThat(bench.remembered).hasValue(4);
    }

    private void refusedFromMemory(long millis, double seconds) {
        at(NOON_MICROS + millis * 1_000);
        int before = bench.sent.size();
        long left = Math.round(seconds * SECOND);
        assertThat(ask(TEN_A_MINUTE, 1)).isEqualTo(new Reading(false, 0, 0, left, left, 0, true));
        assertThat(bench.sent).hasSize(before);
    }

    @Test
    void a_refusal_ends_with_the_window_to_the_microsecond() {
        at(NOON_MICROS + 59_500_000);
        ask(TEN_A_MINUTE, 11);
        ask(TEN_A_MINUTE, 1);
        at(NOON_MICROS + 59_999_999);
        assertThat(ask(TEN_A_MINUTE, 1).retryMicros()).isEqualTo(1);
        assertThat(bench.remembered).hasValue(1);
        at(NOON_MICROS + 60_000_000);
        assertThat(ask(TEN_A_MINUTE, 1).isAdmitted()).isTrue();
    }

    @Test
    void a_hit_that_is_earned_back_is_admitted_when_it_is() {
        var fourASecond = Limit.of(Quota.per(Unit.SECOND, 4), new Algorithm.TokenBucket(4));
        ask(fourASecond, 4);
        assertThat(ask(fourASecond, 1).retryMicros()).isEqualTo(250_000);
        at(NOON_MICROS + 249_999);
        assertThat(ask(fourASecond, 1).retryMicros()).isEqualTo(1);
        assertThat(bench.remembered).hasValue(1);
        at(NOON_MICROS + 250_000);
        assertThat(ask(fourASecond, 1).isAdmitted()).isTrue();
    }

    @Test
    void what_refuses_several_hits_but_not_one_is_not_remembered() {
        ask(onAdmit(TEN_A_MINUTE), 8);
        assertThat(ask(onAdmit(TEN_A_MINUTE), 3).isAdmitted()).isFalse();
        assertThat(ask(onAdmit(TEN_A_MINUTE), 1).isAdmitted()).isTrue();
        assertThat(bench.remembered).hasValue(0);
    }

    @Test
    void the_wait_of_several_hits_says_nothing_of_one_but_in_a_fixed_window() {
        var bucket = Limit.of(Quota.per(Unit.MINUTE, 60), new Algorithm.TokenBucket(5));
        ask(bucket, 5);
        assertThat(ask(bucket, 5).retryMicros()).isEqualTo(5 * SECOND);
        assertThat(ask(bucket, 1).retryMicros()).isEqualTo(SECOND);
        assertThat(bench.remembered).hasValue(0);
        ask(bucket, 5);
        assertThat(bench.remembered).as("one hit was refused, so five are").hasValue(1);

        ask(TEN_A_MINUTE, 10);
        ask(TEN_A_MINUTE, 5);
        ask(TEN_A_MINUTE, 1);
        assertThat(bench.remembered).as("the window's end is everybody's").hasValue(2);
    }

    @Test
    void another_limit_on_the_counter_is_asked_for_itself() {
        var raised = Limit.fixedWindow(Quota.per(Unit.MINUTE, 20));
        ask(TEN_A_MINUTE, 10);
        ask(TEN_A_MINUTE, 1);
        assertThat(ask(raised, 1).remaining()).isEqualTo(8);
        assertThat(ask(TEN_A_MINUTE, 1).isAdmitted()).isFalse();
        assertThat(bench.remembered)
                .as("what the raised limit was told changed nothing")
                .hasValue(1);
    }

    @Test
    void a_raised_limit_meets_only_the_refused_hits_that_the_store_has_seen() {
        ask(TEN_A_MINUTE, 10);
        for (int i = 0; i < 1_000; i++) {
            ask(TEN_A_MINUTE, 1);
        }
        assertThat(ask(Limit.fixedWindow(Quota.per(Unit.MINUTE, 20)), 1).remaining())
                .isEqualTo(8);
    }

    @Test
    void looks_ask_the_store() {
        ask(TEN_A_MINUTE, 10);
        ask(TEN_A_MINUTE, 1);
        bench.sent.clear();
        assertThat(ask(TEN_A_MINUTE, 0).isAdmitted()).isFalse();
        bench.elsewhere(Check.refund(key(TEN_A_MINUTE), TEN_A_MINUTE, 4));
        assertThat(ask(TEN_A_MINUTE, 0).remaining()).isEqualTo(3);
        assertThat(bench.sent).hasSize(2);
    }

    @Test
    void a_refund_is_seen_at_once_and_one_made_elsewhere_within_a_second() {
        ask(TEN_A_MINUTE, 10);
        ask(TEN_A_MINUTE, 1);
        bench.ask(Check.refund(key(TEN_A_MINUTE), TEN_A_MINUTE, 2));
        assertThat(ask(TEN_A_MINUTE, 1).isAdmitted()).isTrue();
        at(NOON_MICROS + SECOND);
        ask(TEN_A_MINUTE, 1);
        bench.elsewhere(Check.refund(key(TEN_A_MINUTE), TEN_A_MINUTE, 5));
        at(NOON_MICROS + 2 * SECOND - 1);
        assertThat(ask(TEN_A_MINUTE, 1).isAdmitted()).isFalse();
        at(NOON_MICROS + 2 * SECOND);
        assertThat(ask(TEN_A_MINUTE, 1).isAdmitted()).isTrue();
    }

    @Test
    void a_lock_is_remembered_and_ends_when_it_ends() {
        var locking = new Limit(Quota.per(Unit.SECOND, 1), new Algorithm.Gcra(1), Charge.ON_ADMIT, 30);
        ask(locking, 1);
        assertThat(ask(locking, 5).retryMicros()).isEqualTo(30 * SECOND);
        for (long millis = 1_000; millis < 30_000; millis += 500) {
            at(NOON_MICROS + millis * 1_000);
            assertThat(ask(locking, 1).retryMicros()).as("at %d ms", millis).isEqualTo((30_000 - millis) * 1_000);
        }
        assertThat(bench.remembered).as("every other time").hasValue(29);
        at(NOON_MICROS + 30 * SECOND);
        assertThat(ask(locking, 1).isAdmitted()).isTrue();
    }

    @Test
    void where_refused_hits_keep_a_window_full_all_of_them_reach_the_store() {
        var minute = Quota.per(Unit.MINUTE, 1);
        var sliding = new Limit(minute, new Algorithm.SlidingWindow(1), Charge.ALWAYS, 0);
        var draining = new Limit(minute, new Algorithm.TokenBucket(1), Charge.DRAIN, 300);
        var hour = new Limit(Quota.per(Unit.HOUR, 1), new Algorithm.FixedWindow(), Charge.ALWAYS, 60);
        for (Limit limit : List.of(sliding, draining, hour)) {
            for (int i = 0; i < 5; i++) {
                ask(limit, 1);
            }
            assertThat(bench.remembered).as("%s", limit).hasValue(0);
        }
        var locked = new Limit(minute, new Algorithm.FixedWindow(), Charge.ALWAYS, 61);
        ask(locked, 1);
        ask(locked, 1);
        ask(locked, 1);
        assertThat(bench.remembered)
                .as("hits of this minute are forgotten when the lock ends")
                .hasValue(1);
        at(NOON_MICROS + SECOND);
        ask(locked, 1);
        ask(locked, 1);
        assertThat(bench.remembered).as("those of the last one are not").hasValue(1);
    }

    @Test
    void a_failure_teaches_nothing_and_who_gives_up_is_not_asked_for() {
        var silent = new SilentStore();
        var store = OverLimitStore.around(silent, 1 << 20, _ -> {}, () -> 0);
        var plan = Plan.of(List.of(Check.refund(key(TEN_A_MINUTE), TEN_A_MINUTE, 1)));
        CompletableFuture<List<Reading>> failing = store.decide(plan).toCompletableFuture();
        silent.asked.getFirst().completeExceptionally(new StoreException("gone"));
        assertThat(failing).isCompletedExceptionally();
        for (Check check : List.of(
                Check.refund(key(TEN_A_MINUTE), TEN_A_MINUTE, 1), Check.of(key(TEN_A_MINUTE), TEN_A_MINUTE, 1))) {
            var _ = store.decide(Plan.of(List.of(check))).toCompletableFuture().cancel(false);
            assertThat(silent.asked.getLast()).isCancelled();
        }
        assertThat(silent.asked).hasSize(3);
    }

    @Test
    void a_refund_on_its_way_outdoes_what_was_refused_before_it_arrived() {
        var silent = new SilentStore();
        var nanos = new AtomicLong();
        var store = OverLimitStore.around(silent, 1 << 20, _ -> {}, nanos::incrementAndGet);
        var hit = Plan.of(List.of(Check.of(key(TEN_A_MINUTE), TEN_A_MINUTE, 1)));
        var _ = store.decide(Plan.of(List.of(Check.refund(key(TEN_A_MINUTE), TEN_A_MINUTE, 1))));
        var _ = store.decide(hit);
        silent.asked.get(1).complete(List.of(new Reading(false, 0, 0, SECOND, SECOND, 0)));
        silent.asked.get(0).complete(List.of(new Reading(true, 1, 1, SECOND, 0, 0)));
        var _ = store.decide(hit);
        assertThat(silent.asked).as("the store is asked again").hasSize(3);
    }

    @Test
    void what_a_knock_gives_back_is_forgotten_here() {
        ask(TEN_A_MINUTE, 10);
        ask(TEN_A_MINUTE, 1);
        bench.store.knock(Plan.of(List.of(Check.of(key(TEN_A_MINUTE), TEN_A_MINUTE, 1))));
        ask(TEN_A_MINUTE, 1);
        assertThat(bench.remembered).hasValue(1);
        bench.store.knock(Plan.of(List.of(Check.refund(key(TEN_A_MINUTE), TEN_A_MINUTE, 1))));
        ask(TEN_A_MINUTE, 1);
        assertThat(bench.remembered).as("the store is asked").hasValue(1);
    }

    @Test
    void a_refusal_from_before_a_counter_was_forgotten_is_not_learned_after_it() {
        var silent = new SilentStore();
        var nanos = new AtomicLong();
        var store = OverLimitStore.around(silent, 1 << 20, _ -> {}, nanos::incrementAndGet);
        var check = Check.of(key(TEN_A_MINUTE), TEN_A_MINUTE, 1);
        var hit = Plan.of(List.of(check));
        var _ = store.forget(check);
        var _ = store.decide(hit); // the store may well answer it first
        silent.forgets.getFirst().complete(true);
        silent.asked.getFirst().complete(List.of(new Reading(false, 0, 0, SECOND, SECOND, 0)));
        var _ = store.decide(hit);
        assertThat(silent.asked).as("the store is asked again").hasSize(2);
    }

    @Test
    void what_may_be_forgotten_is_forgotten_here() {
        var silent = new SilentStore();
        var nanos = new AtomicLong();
        var store = OverLimitStore.around(silent, 1 << 20, _ -> {}, nanos::incrementAndGet);
        var check = Check.of(key(TEN_A_MINUTE), TEN_A_MINUTE, 1);
        var hit = Plan.of(List.of(check));
        var _ = store.decide(hit);
        silent.asked.getFirst().complete(List.of(new Reading(false, 0, 0, SECOND, SECOND, 0)));
        var _ = store.decide(hit);
        assertThat(silent.asked).as("remembered").hasSize(1);
        var forgetting = store.forget(check).toCompletableFuture();
        silent.forgets.getFirst().completeExceptionally(new StoreException("no answer"));
        assertThat(forgetting).isCompletedExceptionally();
        var _ = store.decide(hit);
        assertThat(silent.asked).as("the store is asked again").hasSize(2);
    }

    @Test
    void the_rest_is_the_stores_affair() {
        var silent = new SilentStore();
        var store = OverLimitStore.around(silent, 1 << 20, _ -> {}, () -> 0);
        assertThat(store.isReachable()).isFalse();
        assertThat(store.firstReached().toCompletableFuture()).isNotDone();
    }

    private Reading ask(Limit limit, long hits) {
        return bench.ask(Check.of(key(limit), limit, hits));
    }

    /** Algorithm and window belong to the counter, the limit does not. */
    private static CounterKey key(Limit limit) {
        return StoreContract.key(
                limit.algorithm().number() + "/" + limit.quota().windowSeconds());
    }

    private static Limit onAdmit(Limit limit) {
        return new Limit(limit.quota(), limit.algorithm(), Charge.ON_ADMIT, 0);
    }
}
