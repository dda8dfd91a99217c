package dev.weir.busiest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.CounterKey;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The counters with the most hits, among few and among many. */
final class FrequentKeysTest {
    private static final Limit LIMIT = Limit.fixedWindow(Quota.per(Unit.MINUTE, 5));

    private final FrequentKeys keys = new FrequentKeys();

    @Test
    void of_few_counters_each_hit_is_known() {
        add("ann", 1);
        add("bob", 7);
        add("ann", 2);
        add("eve", 3);
        assertThat(keys.most(2)).containsExactly(busy("bob", 7), busy("ann", 3));
        assertThat(keys.most(9)).hasSize(3).endsWith(busy("eve", 3));
        assertThat(keys.total()).isEqualTo(13);
        assertThat(keys.missed()).isZero();
    }

    @Test
    void one_of_many_is_found_though_each_of_them_is_hit_more_often_at_first() {
        for (int i = 0; i < 100_000; i++) {
            add("user " + i, 1);
        }
        for (int i = 0; i < 1_000; i++) {
            add("eve", 1);
            add("user " + i, 1);
        }
        assertThat(keys.most(1)).singleElement().satisfies(most -> {
            assertThat(most.key()).isEqualTo(key("eve"));
            assertThat(most.hits()).isBetween(1_000 - keys.missed(), 1_000L);
        });
        assertThat(keys.total()).isEqualTo(102_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void nobody_is_shown_with_more_hits_than_were_seen_or_with_fewer_by_more_than_is_told(long seed) {
        var dice = new SplittableRandom(seed);
        var others = new FrequentKeys();
        Map<CounterKey, Long> exact = new HashMap<>();
        for (int i = 0; i < 60_000; i++) {
            // Few names come often, and most of them once or never.
            var key = key("user " + (int) Math.pow(20_000, dice.nextDouble()));
            long hits = dice.nextInt(1, 20);
            (dice.nextBoolean() ? keys : others).add(key, LIMIT, hits);
            exact.merge(key, hits, Long::sum);
        }
        keys.addAll(others);

        var shown = new HashMap<CounterKey, Long>();
        keys.most(Integer.MAX_VALUE).forEach(busy -> shown.put(busy.key(), busy.hits()));
        assertThat(shown).hasSizeBetween(100, FrequentKeys.MOST_KEYS);
        exact.forEach((key, hits) ->
                assertThat(hits).isBetween(shown.getOrDefault(key, 0L), shown.getOrDefault(key, 0L) + keys.missed()));
        assertThat(keys.total())
                .isEqualTo(exact.values().stream().mapToLong(Long::longValue).sum());
        assertThat(keys.missed()).as("worth looking at").isLessThan(keys.total() / 100);
    }

    @Test
    void names_that_are_too_long_are_counted_and_push_nobody_out() {
        add("eve", 100);
        for (int i = 0; i < 10_000; i++) {
            add(i + "a".repeat(FrequentKeys.LONGEST_KEY), 2);
        }
        assertThat(keys.most(9)).containsExactly(busy("eve", 100));
        assertThat(keys.total()).isEqualTo(20_100);
        assertThat(keys.unnamed()).isEqualTo(20_000);
        assertThat(keys.missed()).isZero();

        var all = new FrequentKeys();
        all.addAll(keys);
        assertThat(all.unnamed()).isEqualTo(20_000);
        assertThat(all.total()).isEqualTo(20_100);
    }

    private void add(String name, long hits) {
        keys.add(key(name), LIMIT, hits);
    }

    private static Busy busy(String name, long hits) {
        return new Busy(key(name), LIMIT, hits);
    }

    private static CounterKey key(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return new CounterKey(bytes, bytes.length);
    }
}
