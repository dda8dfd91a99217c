package dev.weir.busiest;

import dev.weir.limit.Limit;
import dev.weir.store.CounterKey;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The counters with the most hits, in little memory however many there are: where it is full, each gives up as many hits as half of them
 * have at most, and who has none left is forgotten. So a counter has the hits that are shown for it, and up to {@link #missed} more;
 * one that was forgotten had no more than these.
 *
 * <p>Misra and Gries, <i>Finding repeated elements</i> (1982); by the median at once as Anderson and others, <i>A high-performance
 * algorithm for identifying frequent items in data streams</i> (2017). Not for several threads.
 */
public final class FrequentKeys {
    static final int MOST_KEYS = 2_000;

    /** Hits of counters with longer keys are counted and not told apart: callers choose how long theirs are. */
    static final int LONGEST_KEY = 1_024;

    private static final Comparator<Busy> BUSIEST_FIRST =
            Comparator.comparingLong(Busy::hits).reversed().thenComparing(Busy::key);

    private final Map<CounterKey, Count> byKey = new HashMap<>();
    private long total;
    private long unnamed;
    private long missed;

    private static final class Count {
        private final Limit limit;
        private long hits;

        Count(Limit limit) {
            this.limit = limit;
        }
    }

    void add(CounterKey key, Limit limit, long hits) {
        total += hits;
        if (key.bytes().length > LONGEST_KEY) {
            unnamed += hits;
        } else {
            put(key, limit, hits);
        }
    }

    void addAll(FrequentKeys others) {
        total += others.total;
        unnamed += others.unnamed;
        missed += others.missed;
        others.byKey.forEach((key, count) -> put(key, count.limit, count.hits));
    }

    private void put(CounterKey key, Limit limit, long hits) {
        Count count = byKey.get(key);
        if (count == null) {
            count = new Count(limit);
            byKey.put(key, count);
        }
        count.hits += hits;
        if (byKey.size() > MOST_KEYS) {
            thinOut();
        }
    }

    private void thinOut() {
        long[] sorted =
                byKey.values().stream().mapToLong(count -> count.hits).sorted().toArray();
        long median = sorted[sorted.length / 2];
        missed += median;
        byKey.values().forEach(count -> count.hits -= median);
        byKey.values().removeIf(count -> count.hits <= 0);
    }

    /** Returns how many hits there were, also those of counters that are forgotten. */
    public long total() {
        return total;
    }

    /** Returns how many hits went to counters whose keys are too long to be told apart. */
    public long unnamed() {
        return unnamed;
    }

    /** Returns how many hits a counter may have had beyond those that are shown. */
    public long missed() {
        return missed;
    }

    /** Returns the counters with the most hits, those first that have more. */
    public List<Busy> most(int number) {
        return byKey.entrySet().stream()
                .map(entry -> new Busy(entry.getKey(), entry.getValue().limit, entry.getValue().hits))
                .sorted(BUSIEST_FIRST)
                .limit(number)
                .toList();
    }
}
