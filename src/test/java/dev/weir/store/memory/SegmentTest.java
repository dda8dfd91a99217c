package dev.weir.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.FixedWindowModel.Count;
import dev.weir.limit.Lock;
import dev.weir.store.CounterKey;
import dev.weir.store.StoreContract;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SegmentTest {
    private static final int KEYS = 3_000;

    private final Segment segment = new Segment();
    private final Map<CounterKey, Counter> expected = new HashMap<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void holds_what_a_map_would_hold_whatever_shares_a_place_or_a_spot(long seed) {
        var random = new SplittableRandom(seed);
        List<CounterKey> keys = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            keys.add(StoreContract.key("user" + i));
        }
        // From all at one spot to each at its own; and in the whole table, or in one place of it.
        int spots = 1 << random.nextInt(13);
        int shift = random.nextBoolean() ? 0 : Segment.COMMON_BITS + 20;
        for (int season = 0; season < 8; season++) {
            int share = random.nextInt(1, KEYS); // grows in some, and shrinks in others
            for (int i = 0; i < 4_000; i++) {
                int number = random.nextInt(share);
                long spot = new SplittableRandom(number % spots).nextLong() >>> shift;
                put(keys.get(number), spot, random.nextInt(5) == 0 ? null : counter(random, season));
            }
            forget(season);
            agrees(keys, spots, shift);
        }
        forget(Long.MAX_VALUE);
        assertThat(expected).isEmpty();
        agrees(keys, spots, shift);
    }

    private static Counter counter(SplittableRandom random, int season) {
        boolean isLocked = random.nextInt(4) == 0; // a lock alone lies in a cell of another shape than a count
        return new Counter(
                isLocked ? null : new Count(random.nextLong(1, 100)),
                isLocked ? new Lock(random.nextLong(), 1_000) : null,
                season + random.nextInt(4));
    }

    private void put(CounterKey key, long spot, @Nullable Counter counter) {
        segment.put(key, spot, segment.get(key, spot), counter);
        if (counter == null) {
            expected.remove(key);
        } else {
            expected.put(key, counter);
        }
    }

    private void forget(long now) {
        List<Counter> forgotten = new ArrayList<>();
        List<Integer> lengths = new ArrayList<>();
        segment.forget(now, (length, counter) -> {
            forgotten.add(counter);
            lengths.add(length);
        });
        List<Counter> over = new ArrayList<>();
        List<Integer> lengthsOver = new ArrayList<>();
        expected.forEach((key, counter) -> {
            if (counter.forgetAt() <= now) {
                over.add(counter);
                lengthsOver.add(key.bytes().length);
            }
        });
        expected.values().removeIf(counter -> counter.forgetAt() <= now);
        assertThat(forgotten).containsExactlyInAnyOrderElementsOf(over);
        assertThat(lengths).containsExactlyInAnyOrderElementsOf(lengthsOver);
    }

    private void agrees(List<CounterKey> keys, int spots, int shift) {
        for (int number = 0; number < KEYS; number++) {
            CounterKey key = keys.get(number);
            Cell cell = segment.get(key, new SplittableRandom(number % spots).nextLong() >>> shift);
            assertThat(cell == null ? null : cell.counter()).isEqualTo(expected.get(key));
        }
    }
}
