package dev.weir.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.BucketModel.Level;
import dev.weir.limit.FixedWindowModel.Count;
import dev.weir.limit.Limit;
import dev.weir.limit.Lock;
import dev.weir.limit.Model;
import dev.weir.limit.Quota;
import dev.weir.limit.RandomLimits;
import dev.weir.limit.State;
import dev.weir.store.CounterKey;
import dev.weir.store.StoreContract;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class CellTest {
    private static final CounterKey KEY = new CounterKey(new byte[] {1}, 1);
    private static final List<Limit> LIMITS = RandomLimits.tenAMinute().toList();

    @Test
    void holds_what_it_was_given_last_of_every_algorithm() {
        for (long seed = 1; seed <= 200; seed++) {
            var random = new SplittableRandom(seed);
            Limit limit = LIMITS.get(random.nextInt(LIMITS.size()));
            var first = new Counter(hits(limit, limit, 1 + random.nextInt(5)), null, random.nextLong());
            var cell = Cell.of(KEY, 1, first);
            assertThat(cell.counter()).as("seed %d, %s", seed, limit).isEqualTo(first);
            for (int hits = 1; hits <= 5; hits++) {
                Lock lock = random.nextBoolean() ? new Lock(random.nextLong(), 1_000) : null;
                State state = random.nextInt(4) == 0 ? null : hits(limit, changed(limit, random), hits);
                var next = new Counter(state, lock, random.nextLong());
                assertThat(cell.hold(next)).as("seed %d, %s", seed, limit).isTrue();
                assertThat(cell.counter()).as("seed %d, %s", seed, limit).isEqualTo(next);
                assertThat(cell.forgetAt()).isEqualTo(next.forgetAt());
            }
        }
    }

    @Test
    void refuses_a_state_of_another_shape_and_stays_as_it_was() {
        for (Limit one : LIMITS) {
            for (Limit other : LIMITS) {
                var before = new Counter(hits(one, 3), new Lock(1, 2), 3);
                var after = new Counter(hits(other, 4), null, 5);
                var cell = Cell.of(KEY, 1, before);
                Counter expected = cell.hold(after) ? after : before;
                assertThat(cell.counter()).as("%s, then %s", one, other).isEqualTo(expected);
            }
        }
    }

    @Test
    void a_count_and_a_bucket_do_not_fit_into_each_other() {
        var count = new Counter(new Count(1), null, 3);
        var bucket = new Counter(new Level(1, 0, 0), null, 3);
        assertThat(Cell.of(KEY, 1, count).hold(bucket)).isFalse();
        assertThat(Cell.of(KEY, 1, bucket).hold(count)).isFalse();
    }

    @Test
    void a_lock_alone_leaves_room_for_any_state() {
        var locked = new Counter(null, new Lock(1, 2), 3);
        for (Limit limit : LIMITS) {
            var cell = Cell.of(KEY, 1, locked);
            assertThat(cell.counter()).isEqualTo(locked);
            assertThat(cell.hold(new Counter(hits(limit, 1), null, 9))).isTrue();
        }
    }

    private static Limit changed(Limit limit, SplittableRandom random) {
        var none = new Quota(0, limit.quota().windowSeconds());
        return random.nextBoolean()
                ? RandomLimits.changed(limit, random)
                : new Limit(none, limit.algorithm(), limit.charge(), limit.blockSeconds());
    }

    private static @Nullable State hits(Limit limit, long hits) {
        return hits(limit, limit, hits);
    }

    /** What a counter holds that was hit under one limit and then held against another. */
    private static @Nullable State hits(Limit limit, Limit later, long hits) {
        Model model = Model.at(null, limit, StoreContract.NOON_MICROS);
        model.take(hits);
        model.under(later);
        return model.state();
    }
}
