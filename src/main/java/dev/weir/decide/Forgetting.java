package dev.weir.decide;

import dev.weir.limit.Limit;
import dev.weir.store.CounterKey;
import java.util.concurrent.CompletableFuture;

/**
 * A counter that is being forgotten.
 *
 * @param counter which one
 * @param limit what it is held against
 * @param wasThere whether anything was known of it; or an {@link UndecidedException}, which says why not, and whether
 *     that is certain
 */
public record Forgetting(CounterKey counter, Limit limit, CompletableFuture<Boolean> wasThere) {}
