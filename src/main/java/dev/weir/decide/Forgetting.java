package dev.weir.decide;

import dev.weir.limit.Limit;
import dev.weir.request.Descriptor;
import dev.weir.store.CounterKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The counters of a request, which are being forgotten.
 *
 * @param counters each once; none if no limit holds for the request
 * @param free the descriptors that no limit holds for, each once
 */
public record Forgetting(List<Counter> counters, List<Descriptor> free) {

    /**
     * A counter that is being forgotten.
     *
     * @param key which one
     * @param limit what it is held against
     * @param wasThere whether anything was known of it; or an {@link UndecidedException}, which says why not, and whether
     *     that is certain
     */
    public record Counter(CounterKey key, Limit limit, CompletableFuture<Boolean> wasThere) {}
}
