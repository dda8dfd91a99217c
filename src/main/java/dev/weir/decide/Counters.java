package dev.weir.decide;

import dev.weir.limit.Limit;
import dev.weir.rules.NamedLimit;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreBusyException;
import dev.weir.store.StoreException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

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

    /**
     * Asks something of each counter of a request.
     *
     * @param question fails as {@link Counter#said} does
     */
    static <T> Counters<T> of(Matched matched, Function<Check, CompletableFuture<T>> question) {
        Plan plan = matched.plan();
        var checks = new LinkedHashMap<CounterKey, Check>();
        if (plan != null) {
            plan.checks().forEach(check -> checks.putIfAbsent(check.key(), check));
        }
        List<Counter<T>> counters = checks.values().stream()
                .map(check -> new Counter<>(check.key(), check.limit(), question.apply(check)))
                .toList();
        return new Counters<>(counters, matched.limits());
    }

    /** Reads a counter, and counts nothing. */
    static CompletableFuture<Reading> seen(Store store, Check check) {
        var look = Plan.of(List.of(Check.of(check.key(), check.limit(), 0)));
        return store.decide(look)
                .toCompletableFuture()
                .thenApply(List::getFirst)
                .exceptionally(failure -> {
                    throw Decision.carried(
                            switch (Decision.causeOf(failure)) {
                                case StoreException broken ->
                                    new UndecidedException(String.valueOf(broken.getMessage()), broken);
                                case StoreBusyException _ -> new OverloadedException();
                                case Throwable defect -> new IllegalStateException(defect);
                            });
                });
    }

    /** Forgets a counter, and says whether there was one. */
    static CompletableFuture<Boolean> forgotten(Store store, Check check) {
        return store.forget(check).toCompletableFuture().exceptionally(failure -> {
            if (Decision.causeOf(failure) instanceof StoreException broken) {
                String rest = broken.isUnasked() || broken.isAnswer()
                        ? "; it is not forgotten"
                        : "; nobody knows whether it is forgotten";
                throw new UndecidedException(broken.getMessage() + rest, broken);
            }
            throw new CompletionException(Decision.causeOf(failure));
        });
    }
}
