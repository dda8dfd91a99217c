package dev.weir.store;

import dev.weir.limit.Limit;

/**
 * One question to a store: does this counter, under this limit, have room for these hits?
 *
 * @param key the counter
 * @param limit what it is held against
 * @param hits how many are asked for, or given back; 0 only looks
 * @param isRefund whether the hits are given back
 */
public record Check(CounterKey key, Limit limit, long hits, boolean isRefund) {

    /** Returns whether one answer can serve both: same counter, limit and hits. Refunds are answered one by one. */
    public boolean isSameAs(Check other) {
        return hits == other.hits && !isRefund && !other.isRefund && key.equals(other.key) && limit.equals(other.limit);
    }
}
