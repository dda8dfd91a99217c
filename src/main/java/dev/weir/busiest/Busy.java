package dev.weir.busiest;

import dev.weir.limit.Limit;
import dev.weir.store.CounterKey;

/**
 * A counter that many hits went to.
 *
 * @param key the counter
 * @param limit what it was held against when it was met first
 * @param hits how many were seen
 */
public record Busy(CounterKey key, Limit limit, long hits) {}
