package dev.weir.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.RandomLimits;
import dev.weir.limit.Unit;
import dev.weir.logging.HeardLog;
import dev.weir.store.Beyond;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Role;
import dev.weir.store.Store;
import dev.weir.store.StoreContract;
import dev.weir.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MemoryStoreTest implements StoreContract {
    private static final int ROOM = 1_000;
    private static final List<Beyond> BEYOND = List.of(Beyond.values());
    private static final Limit ONE_A_SECOND = Limit.fixedWindow(Quota.per(Unit.SECOND, 1));
    private static final Limit A_MILLION_A_MINUTE = Limit.fixedWindow(Quota.per(Unit.MINUTE, 1_000_000));

    @RegisterExtension
    private final HeardLog log = HeardLog.of(MemoryStore.class);

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
    void a_defect_in_one_sweep_is_told_and_does_not_end_the_sweeping() {
        Ticker faulty = () -> {
            throw new OutOfMemoryError("Java heap space");
        };
        try (var timeless = new MemoryStore(faulty, ROOM, Long.MAX_VALUE)) {
            assertThat(timeless.upkeep.step()).isFalse(); // thrown on, it would be the last that its thread runs
            assertThat(log.lines()).containsExactly("ERROR counters that are over could not be forgotten");
        }
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
    void who_finds_no_room_takes_that_of_windows_that_are_over() {
        at(NOON_MICROS);
        for (int i = 0; i < ROOM; i++) {
            hit("user" + i, ONE_A_SECOND);
        }
        at(NOON_MICROS + 500_000);
        assertThatThrownBy(() -> hit("one more", TEN_A_MINUTE)).hasCauseInstanceOf(StoreException.class);
        at(NOON_MICROS + 1_500_000);
        assertThat(hit("one more", TEN_A_MINUTE).remaining()).isEqualTo(9);
        assertThat(store.size()).isEqualTo(1);
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
    void a_bucket_that_a_larger_limit_drains_sooner_stays_for_the_smaller_one() {
        at(NOON_MICROS);
        var _ = decide(store, Check.of(StoreContract.key("ann"), bucket(1, 100), 100));
        hit("ann", bucket(6_000, 6_000));
        at(NOON_MICROS + 11_000_000);
        store.sweep();
        assertThat(hit("ann", bucket(1, 100)).isAdmitted()).isFalse();
    }

    @Test
    void a_larger_limit_in_the_same_request_takes_no_time_from_the_smaller_one() {
        at(NOON_MICROS);
        var ann = StoreContract.key("ann");
        var _ = decide(store, Check.of(ann, bucket(1, 100), 99), Check.of(ann, bucket(6_000, 6_000), 1));
        at(NOON_MICROS + 11_000_000);
        store.sweep();
        assertThat(hit("ann", bucket(1, 100)).isAdmitted()).isFalse();
    }

    @Test
    void a_refund_under_a_limit_of_0_takes_no_time_from_the_limit_before() {
        at(NOON_MICROS);
        var _ = decide(store, Check.of(StoreContract.key("ann"), bucket(1, 100), 100));
        var _ = decide(store, Check.refund(StoreContract.key("ann"), bucket(0, 1), 1));
        at(NOON_MICROS + 121_000_000);
        store.sweep();
        assertThat(hit("ann", bucket(1, 100)).remaining()).isEqualTo(2);
    }

    private static Limit bucket(long hits, long burst) {
        return new Limit(new Quota(hits, 60), new Algorithm.TokenBucket(burst), Charge.ON_ADMIT, 0);
    }

    @Test
    void counters_of_keys_with_one_hash_are_counted_apart_and_forgotten() {
        at(NOON_MICROS);
        var keys = keysOfOneHash(8);
        assertThat(keys.stream().map(CounterKey::hash).distinct()).hasSize(1);
        for (int i = 0; i < 10; i++) {
            for (CounterKey key : keys) {
                assertThat(decide(Check.of(key, TEN_A_MINUTE, 1)).remaining()).isEqualTo(9 - i);
            }
        }
        assertThat(store.size()).isEqualTo(256);
        at(NOON_MICROS + 60_000_000);
        store.sweep();
        assertThat(store.size()).isZero();
        assertThat(decide(Check.of(keys.getLast(), TEN_A_MINUTE, 1)).remaining())
                .isEqualTo(9);
    }

    /**
     * Two keys for each block of sixteen bytes: the highest bit of its first eight goes through the multiplication as it is and
     * comes out as two bits, which the last eight take back.
     */
    private static List<CounterKey> keysOfOneHash(int blocks) {
        List<CounterKey> keys = new ArrayList<>();
        for (int chosen = 0; chosen < 1 << blocks; chosen++) {
            byte[] bytes = "0123456789abcdef".repeat(blocks).getBytes(StandardCharsets.US_ASCII);
            for (int block = 0; block < blocks; block++) {
                if ((chosen >> block & 1) == 1) {
                    for (int at : new int[] {7, 11, 15}) {
                        bytes[block * 16 + at] ^= (byte) 0x80;
                    }
                }
            }
            keys.add(new CounterKey(bytes, bytes.length));
        }
        return keys;
    }

    private Reading decide(Check check) {
        return store.decide(Plan.of(List.of(check)))
                .toCompletableFuture()
                .join()
                .getFirst();
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
    void threads_that_race_with_the_sweeper_lose_no_hit() throws Exception {
        at(NOON_MICROS);
        var hits = new AtomicInteger();
        List<Future<?>> hitters = new ArrayList<>();
        try (var wide = new MemoryStore(ticker, 100_000, Long.MAX_VALUE);
                var threads = Executors.newFixedThreadPool(4)) {
            for (int t = 0; t < 3; t++) {
                String name = "thread" + t + "user";
                hitters.add(threads.submit(() -> {
                    for (int i = 0; i < 60_000; i++) {
                        decide(wide, Check.of(StoreContract.key(name + i % 20_000), ONE_A_SECOND, 1));
                        decide(wide, Check.of(StoreContract.key("kept" + i % 600), A_MILLION_A_MINUTE, 1));
                        hits.incrementAndGet();
                    }
                }));
            }
            Future<?> sweeping = threads.submit(() -> {
                while (!hitters.stream().allMatch(Future::isDone)) {
                    at(NOON_MICROS + hits.get() * 250L); // for 45 seconds; users are forgotten at the end of each
                    wide.sweep();
                }
            });
            for (Future<?> hitter : hitters) {
                hitter.get();
            }
            sweeping.get();
            at(NOON_MICROS + 50_000_000);
            wide.sweep();
            assertThat(wide.size()).isEqualTo(600);
            for (int i = 0; i < 600; i++) {
                Check check = Check.of(StoreContract.key("kept" + i), A_MILLION_A_MINUTE, 1);
                assertThat(decide(wide, check).getFirst().remaining()).isEqualTo(1_000_000 - 301);
            }
        }
    }

    @Test
    void a_plan_that_finds_no_room_counts_nothing_of_itself() {
        at(NOON_MICROS);
        Limit log = Limit.of(Quota.per(Unit.MINUTE, 10), new Algorithm.SlidingLog());
        try (var small = new MemoryStore(ticker, 2, Long.MAX_VALUE)) {
            decide(small, Check.of(StoreContract.key("a"), log, 4));
            assertThat(small.decide(Plan.of(List.of(
                                    Check.of(StoreContract.key("a"), log, 3),
                                    Check.of(StoreContract.key("b"), TEN_A_MINUTE, 3),
                                    Check.of(StoreContract.key("c"), TEN_A_MINUTE, 3))))
                            .toCompletableFuture())
                    .isCompletedExceptionally();
            assertThat(small.size()).isEqualTo(1);
            assertThat(decide(small, Check.of(StoreContract.key("a"), log, 1))
                            .getFirst()
                            .remaining())
                    .isEqualTo(5);
            assertThat(decide(small, Check.of(StoreContract.key("b"), TEN_A_MINUTE, 1))
                            .getFirst()
                            .remaining())
                    .isEqualTo(9);
        }
    }

    @Test
    void a_refund_that_empties_a_counter_frees_its_room() {
        at(NOON_MICROS);
        for (Algorithm algorithm : RandomLimits.algorithms()) {
            Limit limit = new Limit(Quota.per(Unit.MINUTE, 10), algorithm, Charge.ON_ADMIT, 0);
            boolean isFixed = algorithm instanceof Algorithm.FixedWindow;
            var key = StoreContract.key("a");
            decide(store, Check.of(key, limit, 3));
            decide(store, Check.refund(key, limit, 3));
            assertThat(store.size()).as("%s", algorithm).isEqualTo(isFixed ? 1 : 0);
            at(ticker.micros() + 60_000_000);
            store.sweep();
            assertThat(store.size()).as("%s", algorithm).isZero();
        }
    }

    @Test
    void a_counter_is_kept_as_long_as_it_matters_whatever_counts_in_it() {
        for (Algorithm algorithm : RandomLimits.algorithms()) {
            at(NOON_MICROS + 61_000_000L * (1 + RandomLimits.algorithms().indexOf(algorithm)));
            Limit limit = new Limit(Quota.per(Unit.MINUTE, 10), algorithm, Charge.ON_ADMIT, 0);
            Reading reading =
                    decide(store, Check.of(StoreContract.key("a"), limit, 5)).getFirst();
            at(ticker.micros() + reading.resetMicros() - 1);
            store.sweep();
            assertThat(store.size()).as("%s", algorithm).isEqualTo(1);
            at(ticker.micros() + 1);
            store.sweep();
            assertThat(store.size()).as("%s", algorithm).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void a_store_that_is_swept_all_the_time_answers_like_one_that_never_is(long seed) {
        var random = new SplittableRandom(seed);
        long now = NOON_MICROS;
        var limits = RandomLimits.tenAMinute().toList();
        try (var swept = new MemoryStore(ticker, ROOM, Long.MAX_VALUE)) {
            for (int step = 0; step < 3_000; step++) {
                now += random.nextInt(3) == 0 ? random.nextLong(1_000_000) : random.nextLong(30_000_000);
                at(now);
                var checks = new ArrayList<Check>();
                for (int i = 1 + random.nextInt(4); i > 0; i--) {
                    int number = random.nextInt(limits.size() * 2);
                    Limit plain = limits.get(number / 2);
                    var limit = new Limit(plain.quota(), plain.algorithm(), plain.charge(), number % 2 == 0 ? 0 : 45);
                    var key = StoreContract.key("counter" + number);
                    long hits = random.nextLong(7);
                    checks.add(random.nextInt(8) == 0 ? Check.refund(key, limit, hits) : Check.of(key, limit, hits));
                }
                var plan = new Plan(checks, BEYOND.get(random.nextInt(BEYOND.size())));
                swept.sweep();
                assertThat(swept.decide(plan).toCompletableFuture().join())
                        .as("seed %d, step %d", seed, step)
                        .isEqualTo(store.decide(plan).toCompletableFuture().join());
            }
            assertThat(swept.size()).isLessThan(store.size());
        }
    }

    @Test
    void a_lock_is_kept_until_it_ends_though_nothing_was_counted() {
        at(NOON_MICROS);
        var limit = new Limit(Quota.per(Unit.MINUTE, 10), new Algorithm.SlidingLog(), Charge.ON_ADMIT, 300);
        var check = Check.of(StoreContract.key("a"), limit, 11);
        assertThat(decide(store, check).getFirst().retryMicros()).isEqualTo(300_000_000);
        at(NOON_MICROS + 299_999_999);
        store.sweep();
        assertThat(decide(store, check).getFirst().retryMicros()).isEqualTo(1);
        at(NOON_MICROS + 300_000_000);
        store.sweep();
        assertThat(store.size()).isZero();
    }

    /** Windows have 1,023 numbers: a second's count would be in force again 1,023 s later. */
    @ParameterizedTest
    @EnumSource(
            value = Charge.class,
            names = {"ALWAYS", "ON_ADMIT"})
    void a_count_is_forgotten_at_its_windows_end_though_its_lock_lasts(Charge charge) {
        var limit = new Limit(Quota.per(Unit.SECOND, 5), new Algorithm.FixedWindow(), charge, 1_023);
        at(NOON_MICROS);
        decide(store, Check.of(StoreContract.key("a"), limit, 5));
        assertThat(hit("a", limit).retryMicros()).isEqualTo(1_023_000_000);
        at(NOON_MICROS + 1_000_000);
        store.sweep();
        assertThat(hit("a", limit).retryMicros()).isEqualTo(1_022_000_000); // with always it counts beside the lock
        at(NOON_MICROS + 2_000_000);
        store.sweep();
        at(NOON_MICROS + 1_023_020_000);
        assertThat(hit("a", limit).remaining()).isEqualTo(4);
        at(NOON_MICROS + 1_024_020_000);
        assertThat(hit("a", limit).remaining()).isEqualTo(4);
        assertThat(store.size()).isEqualTo(1);
    }

    @Test
    void what_is_forgotten_under_a_lock_gives_its_room_back() {
        at(NOON_MICROS);
        var log = new Limit(Quota.per(Unit.SECOND, 1_000), new Algorithm.SlidingLog(), Charge.ON_ADMIT, 300);
        try (var small = new MemoryStore(ticker, ROOM, 30_000)) {
            for (int i = 0; i < 1_000; i++) {
                decide(small, Check.of(StoreContract.key("a"), log, 1));
            }
            assertThat(decide(small, Check.of(StoreContract.key("a"), log, 1))
                            .getFirst()
                            .retryMicros())
                    .isEqualTo(300_000_000);
            at(NOON_MICROS + 1_000_000);
            small.sweep();
            for (int i = 0; i < 100; i++) {
                assertThat(decide(small, Check.of(StoreContract.key("b" + i), TEN_A_MINUTE, 1)))
                        .hasSize(1);
            }
            at(NOON_MICROS + 300_000_000);
            small.sweep();
            assertThat(small.size()).isZero();
            for (int i = 0; i < 1_000; i++) {
                assertThat(decide(small, Check.of(StoreContract.key("a"), log, 1))
                                .getFirst()
                                .isAdmitted())
                        .isTrue();
            }
        }
    }

    @Test
    void what_a_refused_request_would_have_charged_is_dropped_and_locks_stay() {
        at(NOON_MICROS);
        for (Algorithm algorithm : RandomLimits.algorithms()) {
            var waiting = new Limit(Quota.per(Unit.MINUTE, 10), algorithm, Charge.ON_ADMIT, 0);
            var locking = new Limit(Quota.per(Unit.MINUTE, 10), algorithm, Charge.ON_ADMIT, 60);
            var a = Check.of(StoreContract.key("a " + algorithm), waiting, 4);
            var counted = Check.of(StoreContract.key("b " + algorithm), TEN_A_MINUTE, 3)
                    .as(Role.SHADOW, 1);
            var over =
                    Check.of(StoreContract.key("c " + algorithm), locking, 99).as(Role.ENFORCING, 2);
            var readings = decide(store, a, counted, a.as(Role.ENFORCING, 3), over);
            assertThat(readings)
                    .as("%s", algorithm)
                    .extracting(Reading::isAdmitted)
                    .containsExactly(true, true, waiting.capacity() >= 8, false);
            assertThat(readings.getFirst().remaining()).as("%s", algorithm).isEqualTo(waiting.capacity());
            assertThat(readings.get(1).remaining()).as("%s", algorithm).isEqualTo(7);
            assertThat(decide(store, a).getFirst().available())
                    .as("%s", algorithm)
                    .isEqualTo(waiting.capacity());
            var look = Check.of(over.key(), locking, 0);
            assertThat(decide(store, look).getFirst().retryMicros())
                    .as("%s", algorithm)
                    .isEqualTo(60_000_000);
        }
    }

    private static List<Reading> decide(MemoryStore store, Check... checks) {
        return store.decide(Plan.of(List.of(checks))).toCompletableFuture().join();
    }

    private Reading hit(String counter, Limit limit) {
        return store.decide(Plan.of(List.of(Check.of(StoreContract.key(counter), limit, 1))))
                .toCompletableFuture()
                .join()
                .getFirst();
    }
}
