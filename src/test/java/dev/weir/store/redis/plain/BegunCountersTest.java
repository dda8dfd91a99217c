package dev.weir.store.redis.plain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.FixedWindowModel;
import dev.weir.limit.FixedWindowModel.Count;
import dev.weir.limit.Limit;
import dev.weir.limit.Model;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.StoreContract;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which counters are known to go on, and for how long. */
final class BegunCountersTest {
    private static final long NOON = StoreContract.NOON_MICROS;
    private static final Limit TEN_A_MINUTE = StoreContract.TEN_A_MINUTE;
    private static final Limit TEN_A_YEAR = Limit.fixedWindow(Quota.per(Unit.YEAR, 10));
    private static final long STATE = FixedWindowModel.begun(TEN_A_YEAR.quota().windowMicros(), NOON) + 1;
    private static final long START = 123_456_789_000_000L;
    private final BegunCounters begun = new BegunCounters();

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
    void what_is_avoided_seems_to_have_just_ended() {
        hit("a", TEN_A_YEAR, 0);
        begun.avoid(StoreContract.key("a"), nanos(500));
        assertThat(isKnown("a", 500)).isFalse();
        assertThat(hasJustEnded("a", 500)).isTrue();
        assertThat(hasJustEnded("a", 1_500)).isTrue();
        assertThat(hasJustEnded("a", 1_600)).isFalse();
    }

    /** Such as numbers in four bytes, of which a polynomial hash of base 31 keeps an eighth at most. */
    @Test
    void keys_that_share_a_polynomial_hash_are_not_taken_for_each_other() {
        for (int i = 0; i < 10_000; i++) {
            begun.counted(Check.of(number(2 * i), TEN_A_YEAR, 1), STATE, NOON, START);
        }
        assertThat(IntStream.range(0, 10_000).filter(i -> begun.isBegun(number(2 * i + 1), START)))
                .hasSizeLessThan(20);
    }

    private static CounterKey number(int number) {
        byte[] bytes = ByteBuffer.allocate(20).putInt(16, number).array();
        return new CounterKey(bytes, bytes.length);
    }

    @Test
    void a_counter_has_just_ended_as_long_as_redis_keeps_it() {
        hit("a", TEN_A_MINUTE, 0);
        assertThat(hasJustEnded("a", 59_900)).as("it goes on").isFalse();
        assertThat(hasJustEnded("b", 60_500)).as("never seen").isFalse();
        assertThat(hasJustEnded("a", 60_000)).isTrue();
        assertThat(hasJustEnded("a", 61_000)).isTrue();
        assertThat(hasJustEnded("a", 61_100)).isFalse();
        hit("a", TEN_A_MINUTE, 60_000);
        assertThat(hasJustEnded("a", 60_500)).as("begun again").isFalse();
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
        return begun.isBegun(StoreContract.key(counter), nanos(millis));
    }

    private boolean hasJustEnded(String counter, long millis) {
        return begun.hasJustEnded(StoreContract.key(counter), nanos(millis));
    }

    private static Check hits(String counter, long hits) {
        return Check.of(StoreContract.key(counter), TEN_A_MINUTE, hits);
    }

    private static long nanos(long millis) {
        return START + TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
