package dev.weir.decide;

import dev.weir.limit.Limit;
import dev.weir.rules.NamedLimit;
import dev.weir.store.CounterKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The counters of a request, of which the store is being asked something.
 *
 * @param counters each once; none if no limit holds for the request
 * @param held the limits that each descriptor is held against, in the request's order; none where it passes uncounted
 * @param <T> what the store says of a counter
 */
public record Counters<T>(List<Counter<T>> counters, List<List<NamedLimit>> held) {

    /**
     * A counter of which the store is being asked.
     *
     * @param key which one
     * @param limit what it is held against
     * @param said what the store says; or an {@link UndecidedException} or an {@link OverloadedException}, which say why it does not
     * @param <T> what the store says
     */
    public record Counter<T>(CounterKey key, Limit limit, CompletableFuture<T> said) {}
}
