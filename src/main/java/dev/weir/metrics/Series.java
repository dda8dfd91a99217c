package dev.weir.metrics;

import dev.weir.limit.Limit;
import dev.weir.meter.Counts;
import dev.weir.store.Reading;

/**
 * The counters of one name.
 *
 * <p>The arithmetic is the Go service's. With L the limit, b the count before the hits h and N the near limit, a part of L
 * rounded down: of admitted hits those beyond N are near; of refused ones those beyond L are over, and those between b and L
 * are near, from N on. What was available stands for L - b, so that it holds for every way of counting.
 */
final class Series {
    private final Counts counts = new Counts(Stat.values().length);
    private final String name;

    Series(String name) {
        this.name = name;
    }

    /** Returns the domain and the levels, joined by dots. */
    String name() {
        return name;
    }

    long count(Stat stat) {
        return counts.sum(stat.place());
    }

    void add(Stat stat, long hits) {
        counts.add(stat.place(), hits);
    }

    /**
     * Counts what the store said to hits.
     *
     * @param nearRatio the share of a limit from which on hits are near it
     * @param isShadow whether the rule refuses nothing
     */
    void decided(long hits, Limit limit, Reading reading, float nearRatio, boolean isShadow) {
        long capacity = limit.capacity();
        long near = nearLimit(capacity, nearRatio);
        long before = capacity - Math.min(reading.available(), capacity);
        long after = before + hits;
        add(Stat.TOTAL_HITS, hits);
        if (reading.isAdmitted()) {
            add(Stat.WITHIN_LIMIT, hits);
            if (after > near) {
                add(Stat.NEAR_LIMIT, before >= near ? hits : after - near);
            }
            return;
        }
        boolean isPartlyOver = before < capacity && after > capacity;
        long over = isPartlyOver ? after - capacity : hits;
        add(Stat.OVER_LIMIT, over);
        if (isPartlyOver) {
            add(Stat.NEAR_LIMIT, capacity - Math.max(near, before));
        }
        if (reading.isRemembered()) {
            add(Stat.OVER_LIMIT_WITH_LOCAL_CACHE, hits);
        }
        if (isShadow) {
            add(Stat.SHADOW_MODE, over);
        }
    }

    /**
     * As the Go service computes it: in single precision, which shows in large limits. Beyond the limit nothing is near
     * it; the Go service's count runs over there.
     */
    static long nearLimit(long capacity, float ratio) {
        return Math.min(capacity, (long) Math.floor((float) capacity * ratio));
    }
}
