package dev.weir.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.BucketModel.Level;
import dev.weir.limit.FixedWindowModel.Count;
import dev.weir.limit.Lock;
import dev.weir.limit.State;
import dev.weir.store.CounterKey;
import dev.weir.store.StoreContract;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SegmentTest {
    private static final int COUNTERS = 3_000;
    private static final int ANYWHERE = Segment.CHOOSING_BITS; // all spots of a segment begin with the same bits
    private static final int IN_ONE_PLACE = ANYWHERE + 20;
    private static final List<CounterKey> KEYS = IntStream.range(0, COUNTERS)
            .mapToObj(i -> StoreContract.key("user" + i))
            .toList();

    private final Segment segment = new Segment();
    private final Map<CounterKey, Counter> expected = new HashMap<>();

    /** The law, from all counters at one spot to nearly each at its own, in the whole table and in one place of it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 64, 4_096})
    void holds_what_a_map_would_hold_whatever_shares_a_spot(int spots) {
        for (long seed = 1; seed <= 4; seed++) {
            followsAMap(seed, spots, ANYWHERE);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 512})
    void holds_what_a_map_would_hold_in_one_place_too(int spots) {
        for (long seed = 1; seed <= 2; seed++) {
            followsAMap(seed, spots, IN_ONE_PLACE);
        }
    }

    @Test
    void counters_spread_over_the_table() {
        for (int i = 0; i < COUNTERS; i++) {
            put(KEYS.get(i), spot(i, COUNTERS, ANYWHERE), new Counter(new Count(1), null, 1));
        }
        assertThat(longestChain()).isLessThan(12); // of such tables, one in billions has one of twelve
    }

    @Test
    void a_table_shrinks_around_those_that_stay_and_grows_again() {
        for (int i = 0; i < 1_000; i++) {
            put(KEYS.get(i), spot(i, COUNTERS, ANYWHERE), new Counter(new Count(i + 1), null, i < 20 ? 9 : 1));
        }
        int places = segment.chains.length;
        forget(1);
        assertThat(segment.chains.length).isLessThan(places);
        agrees(COUNTERS, ANYWHERE);
        for (int i = 0; i < COUNTERS; i++) {
            put(KEYS.get(i), spot(i, COUNTERS, ANYWHERE), new Counter(new Count(7), null, 9));
        }
        assertThat(segment.chains.length).isGreaterThan(places);
        agrees(COUNTERS, ANYWHERE);
    }

    private void followsAMap(long seed, int spots, int shift) {
        var random = new SplittableRandom(seed);
        for (int season = 0; season < 6; season++) {
            int share = random.nextInt(1, COUNTERS);
            for (int i = 0; i < 3_000; i++) {
                int number = random.nextInt(share);
                put(
                        KEYS.get(number),
                        spot(number, spots, shift),
                        random.nextInt(5) == 0 ? null : counter(random, season));
            }
            forget(season);
            agrees(spots, shift);
        }
        forget(Long.MAX_VALUE);
        assertThat(expected).isEmpty();
        agrees(spots, shift);
    }

    private int longestChain() {
        int longest = 0;
        for (Cell head : segment.chains) {
            int length = 0;
            for (Cell cell = head; cell != null; cell = cell.next) {
                length++;
            }
            longest = Math.max(longest, length);
        }
        return longest;
    }

    private static long spot(int number, int spots, int shift) {
        return new SplittableRandom(number % spots).nextLong() >>> shift;
    }

    /** Counts, buckets and locks alone lie in cells of different shapes. */
    private static Counter counter(SplittableRandom random, int season) {
        State state = switch (random.nextInt(3)) {
            case 0 -> new Count(random.nextLong(1, 100));
            case 1 -> new Level(random.nextLong(1, 100), 0, season);
            default -> null;
        };
        Lock lock = state == null || random.nextInt(4) == 0 ? new Lock(season, random.nextInt(4)) : null;
        return new Counter(state, lock, season + random.nextInt(4));
    }

    private void put(CounterKey key, long spot, @Nullable Counter counter) {
        segment.put(key, spot, segment.get(key, spot), counter);
        if (counter == null) {
            expected.remove(key);
        } else {
            expected.put(key, counter);
        }
    }

    /** Lets both forget, and compares what is told of it: a lock that lasts stays alone. */
    private void forget(long now) {
        List<String> told = new ArrayList<>();
        segment.forget(now, (length, before, after) -> told.add(length + " bytes: " + before + ", then " + after));
        List<String> over = new ArrayList<>();
        for (var entry : List.copyOf(expected.entrySet())) {
            CounterKey key = entry.getKey();
            Counter before = entry.getValue();
            if (before.forgetAt() <= now) {
                Lock lock = before.lock();
                Counter after = lock == null || lock.end() <= now ? null : new Counter(null, lock, lock.end());
                expected.compute(key, (_, _) -> after);
                over.add(key.bytes().length + " bytes: " + before + ", then " + after);
            }
        }
        assertThat(told.stream().sorted()).isEqualTo(over.stream().sorted().toList());
    }

    private void agrees(int spots, int shift) {
        for (int number = 0; number < COUNTERS; number++) {
            Cell cell = segment.get(KEYS.get(number), spot(number, spots, shift));
            assertThat(cell == null ? null : cell.counter())
                    .as("user%d", number)
                    .isEqualTo(expected.get(KEYS.get(number)));
        }
    }
}
