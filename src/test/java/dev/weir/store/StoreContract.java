package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What every store keeps, whatever it is made of: ten hits a minute, counted from the full minute on. */
public interface StoreContract {
    /** A full minute, hour and day. */
    long NOON_MICROS = 1_763_726_400_000_000L / 86_400_000_000L * 86_400_000_000L;

    Limit TEN_A_MINUTE = Limit.fixedWindow(Quota.per(Unit.MINUTE, 10));

    /** Returns the empty store under test. */
    Store store();

    /** Sets the store's clock. */
    void at(long micros);

    @Test
    default void counts_to_the_limit_and_begins_again_with_the_window() {
        at(NOON_MICROS);
        assertThat(hit("a", 4)).isEqualTo(admitted(6, 10, 60));
        assertThat(hit("a", 6)).isEqualTo(admitted(0, 6, 60));
        at(NOON_MICROS + 59_999_999);
        assertThat(hit("a", 1)).isEqualTo(new Reading(false, 0, 0, 1, 1, 0));
        at(NOON_MICROS + 60_000_000);
        assertThat(hit("a", 1)).isEqualTo(admitted(9, 10, 60));
    }

    @Test
    default void a_refused_check_counts_and_tells_what_it_could_have_had() {
        at(NOON_MICROS);
        hit("a", 8);
        assertThat(hit("a", 3)).isEqualTo(refused(2, 60));
        assertThat(hit("a", 1)).isEqualTo(refused(0, 60));
    }

    @Test
    default void counters_know_nothing_of_each_other() {
        at(NOON_MICROS);
        hit("a", 10);
        assertThat(hit("b", 1)).isEqualTo(admitted(9, 10, 60));
    }

    @Test
    default void a_look_counts_nothing() {
        at(NOON_MICROS);
        assertThat(hit("a", 0)).isEqualTo(admitted(10, 10, 60));
        hit("a", 10);
        assertThat(hit("a", 0)).isEqualTo(admitted(0, 0, 60));
        hit("a", 1);
        assertThat(hit("a", 0)).isEqualTo(refused(0, 60));
    }

    @Test
    default void a_refund_gives_back_at_most_what_was_counted() {
        at(NOON_MICROS);
        assertThat(refund("a", 3)).isEqualTo(admitted(10, 10, 60));
        hit("a", 5);
        assertThat(refund("a", 2)).isEqualTo(admitted(7, 7, 60));
        assertThat(refund("a", 100)).isEqualTo(admitted(10, 10, 60));
        at(NOON_MICROS + 61_000_000);
        assertThat(refund("a", 1)).isEqualTo(admitted(10, 10, 59));
    }

    @Test
    default void the_checks_of_a_plan_see_each_other_in_order() {
        at(NOON_MICROS);
        var readings = decide(check("a", 6, TEN_A_MINUTE), check("b", 1, TEN_A_MINUTE), check("a", 6, TEN_A_MINUTE));
        assertThat(readings).containsExactly(admitted(4, 10, 60), admitted(9, 10, 60), refused(4, 60));
    }

    @Test
    default void another_limit_on_the_same_counter_meets_the_same_count() {
        at(NOON_MICROS);
        hit("a", 6);
        var readings = decide(check("a", 1, Limit.fixedWindow(Quota.per(Unit.MINUTE, 5))), check("a", 1, TEN_A_MINUTE));
        assertThat(readings).containsExactly(refused(0, 60), admitted(2, 3, 60));
    }

    @Test
    default void limits_on_the_same_counter_that_wait_for_each_other_are_each_held_to_their_own() {
        at(NOON_MICROS);
        hit("a", 6);
        var five = new Limit(Quota.per(Unit.MINUTE, 5), TEN_A_MINUTE.algorithm(), Charge.ON_ADMIT, 0);
        var ten = new Limit(TEN_A_MINUTE.quota(), TEN_A_MINUTE.algorithm(), Charge.ON_ADMIT, 0);
        assertThat(decide(check("a", 1, ten), check("a", 1, five))).containsExactly(admitted(4, 4, 60), refused(0, 60));
        assertThat(hit("a", 0)).as("nothing was counted").isEqualTo(admitted(4, 4, 60));
    }

    @Test
    default void a_forgotten_counter_has_its_whole_limit_again_and_no_other() {
        at(NOON_MICROS);
        hit("a", 10);
        hit("b", 4);
        assertThat(hit("a", 1)).isEqualTo(refused(0, 60));
        assertThat(forget("a", TEN_A_MINUTE)).isTrue();
        assertThat(hit("a", 3)).isEqualTo(admitted(7, 10, 60));
        assertThat(hit("a", 7)).isEqualTo(admitted(0, 7, 60));
        assertThat(hit("a", 1)).isEqualTo(refused(0, 60));
        assertThat(hit("b", 1)).isEqualTo(admitted(5, 6, 60));
    }

    @Test
    default void a_counter_that_is_not_there_is_forgotten_already() {
        at(NOON_MICROS);
        hit("a", 10);
        assertThat(forget("b", TEN_A_MINUTE)).isFalse();
        assertThat(forget("a", TEN_A_MINUTE)).isTrue();
        assertThat(forget("a", TEN_A_MINUTE)).isFalse();
    }

    @Test
    default void a_counters_lock_is_forgotten_with_it() {
        at(NOON_MICROS);
        var locking = new Limit(Quota.per(Unit.MINUTE, 10), new Algorithm.SlidingLog(), Charge.ON_ADMIT, 3600);
        assertThat(decide(check("a", 11, locking)).getFirst().retryMicros()).isEqualTo(3_600_000_000L);
        assertThat(decide(check("a", 1, locking)).getFirst().isAdmitted()).isFalse();
        assertThat(forget("a", locking)).isTrue();
        assertThat(decide(check("a", 10, locking)).getFirst().isAdmitted()).isTrue();
    }

    /** What is given back met no lock: one that holds then began since, maybe over nothing else. */
    @Test
    default void a_lock_that_began_over_hits_goes_when_they_are_given_back_and_stays_when_others_are_refunded() {
        at(NOON_MICROS);
        var locking = new Limit(Quota.per(Unit.MINUTE, 10), new Algorithm.SlidingLog(), Charge.ON_ADMIT, 3600);
        Check charged = check("a", 10, locking);
        decide(charged);
        decide(check("a", 1, locking));
        decide(Check.refund(key("a"), locking, 1));
        assertThat(decide(check("a", 1, locking)).getFirst().isAdmitted()).isFalse();
        assertThat(decide(charged.givenBack(NOON_MICROS)).getFirst()).isEqualTo(admitted(10, 10, 0));
        assertThat(decide(charged).getFirst().isAdmitted()).isTrue();
    }

    @Test
    default void the_largest_limits_and_windows_fit() {
        at(NOON_MICROS);
        var most = Limit.fixedWindow(new Quota(Quota.MAX_HITS, Quota.MAX_WINDOW_SECONDS));
        var readings = decide(check("a", 1, most), check("a", 1_000_000_000, most));
        assertThat(readings.get(0).remaining()).isEqualTo(Quota.MAX_HITS - 1);
        assertThat(readings.get(1).remaining()).isEqualTo(Quota.MAX_HITS - 1_000_000_001);
    }

    @Test
    default void a_store_that_answers_was_reached() {
        at(NOON_MICROS);
        hit("a", 1);
        assertThat(store().firstReached().toCompletableFuture()).succeedsWithin(10, TimeUnit.SECONDS);
        assertThat(store().isReachable()).isTrue();
    }

    @Test
    default void many_at_once_are_admitted_exactly_up_to_the_limit() {
        at(NOON_MICROS);
        var limit = Limit.fixedWindow(Quota.per(Unit.HOUR, 500));
        var waiting = new ArrayList<CompletableFuture<List<Reading>>>();
        for (int i = 0; i < 2_000; i++) {
            waiting.add(store().decide(Plan.of(List.of(check("a", 1, limit)))).toCompletableFuture());
        }
        var remaining = waiting.stream()
                .map(answer -> answer.orTimeout(10, TimeUnit.SECONDS).join().getFirst())
                .filter(Reading::isAdmitted)
                .map(Reading::remaining)
                .toList();
        assertThat(remaining).hasSize(500).doesNotHaveDuplicates().contains(0L, 499L);
    }

    private Reading hit(String counter, long hits) {
        return decide(check(counter, hits, TEN_A_MINUTE)).getFirst();
    }

    private Reading refund(String counter, long hits) {
        return decide(Check.refund(key(counter), TEN_A_MINUTE, hits)).getFirst();
    }

    private boolean forget(String counter, Limit limit) {
        return store().forget(check(counter, 1, limit))
                .toCompletableFuture()
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
    }

    private List<Reading> decide(Check... checks) {
        return store()
                .decide(Plan.of(Arrays.asList(checks)))
                .toCompletableFuture()
                .orTimeout(10, TimeUnit.SECONDS)
                .join()
                .stream()
                .map(StoreContract::numbers)
                .toList();
    }

    /** Returns what is read, whoever remembered it. */
    static Reading numbers(Reading reading) {
        return new Reading(
                reading.isAdmitted(),
                reading.remaining(),
                reading.available(),
                reading.resetMicros(),
                reading.retryMicros(),
                reading.delayMicros());
    }

    private static Check check(String counter, long hits, Limit limit) {
        return Check.of(key(counter), limit, hits);
    }

    /** Returns a counter's key with this name. */
    static CounterKey key(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return new CounterKey(bytes, bytes.length);
    }

    private static Reading admitted(long remaining, long available, long resetSeconds) {
        return new Reading(true, remaining, available, resetSeconds * 1_000_000, 0, 0);
    }

    private static Reading refused(long available, long resetSeconds) {
        return new Reading(false, 0, available, resetSeconds * 1_000_000, resetSeconds * 1_000_000, 0);
    }
}
