package dev.weir.store.redis.plain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Charge;
import dev.weir.limit.FixedWindowModel.Count;
import dev.weir.limit.Limit;
import dev.weir.limit.Model;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Batch;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Reading;
import dev.weir.store.StoreContract;
import dev.weir.store.StoreException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which counters are known to go on, and for how long. */
final class BegunCountersTest {
    private static final long NOON = StoreContract.NOON_MICROS;
    private static final Limit TEN_A_MINUTE = StoreContract.TEN_A_MINUTE;
    private static final Limit TEN_A_YEAR = Limit.fixedWindow(Quota.per(Unit.YEAR, 10));
    private static final CounterKey B = StoreContract.key("b");
    private static final long START = 123_456_789_000_000L;
    private static final Batch.Receiver NOBODY = new Batch.Receiver() {
        @Override
        public boolean isOver() {
            return false;
        }

        @Override
        public void answered(int position, Reading reading, long at) {
            throw new AssertionError("nobody was asked");
        }

        @Override
        public void failed(int position, StoreException failure) {
            throw new AssertionError("nobody was asked", failure);
        }

        @Override
        public void scattered() {
            throw new AssertionError("nobody was asked");
        }
    };

    private final BegunCounters begun = new BegunCounters();

    @BeforeEach
    void open() {
        begun.open(true);
    }

    @Test
    void while_the_short_way_is_closed_no_counter_counts_as_begun() {
        hit("a", TEN_A_MINUTE, 0);
        begun.open(false);
        assertThat(isKnown("a", 0)).isFalse();
        begun.open(true);
        assertThat(isKnown("a", 0)).isTrue();
        assertThat(new BegunCounters().isOpen()).as("before Redis was asked").isFalse();
    }

    @Test
    void a_counter_is_known_until_its_window_ends() {
        assertThat(isKnown("a", 0)).isFalse();
        hit("a", TEN_A_MINUTE, 0); // at noon, when a minute begins
        assertThat(isKnown("a", 0)).isTrue();
        assertThat(isKnown("a", 59_900)).isTrue();
        assertThat(isKnown("b", 0)).isFalse();
        assertThat(isKnown("a", 60_000)).isFalse();
        hit("a", TEN_A_MINUTE, 60_000);
        assertThat(isKnown("a", 119_900)).isTrue();
    }

    @Test
    void a_long_window_is_looked_at_again_after_an_hour() {
        hit("a", TEN_A_YEAR, 0);
        assertThat(isKnown("a", TimeUnit.HOURS.toMillis(1))).isTrue();
        assertThat(isKnown("a", TimeUnit.HOURS.toMillis(2))).isFalse();
        assertThat(isKnown("a", TimeUnit.HOURS.toMillis(4))).isFalse();
    }

    /** Ticks come again every 4.9 hours, and most of the way the empty and the old ones among the marks seem to be to come. */
    @Test
    void at_every_hour_old_marks_leave_room_and_are_not_taken_for_new_ones() {
        for (int hour = 0; hour < 24; hour++) {
            int now = hour;
            IntStream.range(0, 100_000).forEach(i -> hit(now + "user" + i, TEN_A_YEAR, TimeUnit.HOURS.toMillis(now)));
            assertThat(IntStream.range(0, 100_000).filter(i -> isKnown(now + "user" + i, TimeUnit.HOURS.toMillis(now))))
                    .hasSizeGreaterThan(99_000);
            assertThat(IntStream.range(0, 100_000).filter(i -> isKnown("stranger" + i, TimeUnit.HOURS.toMillis(now))))
                    .hasSizeLessThan(1_000);
            for (int i = 0; i < 512; i++) {
                begun.sweep(nanos(TimeUnit.HOURS.toMillis(now) + i * 1_000L));
            }
        }
    }

    @Test
    void a_sweep_leaves_what_still_holds() {
        hit("a", TEN_A_MINUTE, 0);
        hit("b", TEN_A_YEAR, 0);
        for (int i = 0; i < 512; i++) {
            begun.sweep(nanos(120_000));
        }
        assertThat(isKnown("a", 0)).isFalse();
        assertThat(isKnown("b", 0)).isTrue();
    }

    @Test
    void what_is_forgotten_is_unknown() {
        hit("a", TEN_A_YEAR, 0);
        begun.forget(StoreContract.key("a"));
        assertThat(isKnown("a", 0)).isFalse();
    }

    @Test
    void all_checks_must_only_add_hits_to_counters_that_are_known() {
        hit("a", TEN_A_MINUTE, 0);
        hit("b", TEN_A_MINUTE, 0);
        Check a = hits("a", 1);
        assertThat(areKnown(a, hits("b", 7))).isTrue();
        assertThat(areKnown(a, hits("c", 1))).as("one is not known").isFalse();
        assertThat(areKnown(a, hits("b", 0))).as("a look").isFalse();
        assertThat(areKnown(a, Check.refund(B, TEN_A_MINUTE, 1))).as("a refund").isFalse();
        var onAdmit = new Limit(TEN_A_MINUTE.quota(), TEN_A_MINUTE.algorithm(), Charge.ON_ADMIT, 0);
        assertThat(areKnown(a, Check.of(B, onAdmit, 1)))
                .as("charged on admission")
                .isFalse();
        var locking = new Limit(TEN_A_MINUTE.quota(), TEN_A_MINUTE.algorithm(), Charge.ALWAYS, 60);
        assertThat(areKnown(a, Check.of(B, locking, 1))).as("with a lock").isFalse();
    }

    @Test
    void so_many_hits_that_they_could_leave_the_bounds_go_another_way() {
        hit("a", TEN_A_MINUTE, 0);
        assertThat(areKnown(hits("a", 1 << 20))).isTrue();
        assertThat(areKnown(hits("a", (1 << 20) + 1))).isFalse();
    }

    @Test
    void a_count_near_its_bounds_is_not_noted() {
        long minute = TimeUnit.SECONDS.toMicros(60);
        long window = NOON / minute % 1_023 + 1;
        begun.counted(hits("a", 1), window << 43 | (1L << 42) - 1, NOON, START);
        begun.counted(hits("b", 1), window << 43 | 1L << 42, NOON, START);
        assertThat(isKnown("a", 0)).isTrue();
        assertThat(isKnown("b", 0)).isFalse();
    }

    @Test
    void a_hundred_thousand_counters_are_nearly_all_remembered_at_once() {
        IntStream.range(0, 100_000).forEach(i -> hit("user" + i, TEN_A_YEAR, 0));
        assertThat(IntStream.range(0, 100_000).filter(i -> isKnown("user" + i, 0)))
                .hasSizeGreaterThan(99_900);
        assertThat(IntStream.range(0, 100_000).filter(i -> isKnown("stranger" + i, 0)))
                .hasSizeLessThan(1_000);
    }

    private void hit(String counter, Limit limit, long millis) {
        long now = NOON + millis * 1_000;
        Model model = Model.at(null, limit, now);
        model.take(1);
        assertThat(model.state()).isInstanceOf(Count.class);
        long after = model.state() instanceof Count(long packed) ? packed : 0;
        begun.counted(Check.of(StoreContract.key(counter), limit, 1), after, now, nanos(millis));
    }

    private boolean isKnown(String counter, long millis) {
        return begun.areBegun(batch(hits(counter, 1)).checks(), nanos(millis));
    }

    private boolean areKnown(Check... checks) {
        return begun.areBegun(batch(checks).checks(), nanos(0));
    }

    private static Check hits(String counter, long hits) {
        return Check.of(StoreContract.key(counter), TEN_A_MINUTE, hits);
    }

    private static Batch batch(Check... checks) {
        var batch = new Batch();
        for (Check check : checks) {
            batch.add(check, NOBODY, 0);
        }
        return batch;
    }

    private static long nanos(long millis) {
        return START + TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
