package dev.weir.decide;

import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Answers every plan alike, whatever it asks.
 *
 * @param answer given to all
 */
record OneAnswerStore(CompletableFuture<List<Reading>> answer) implements Store {
    @Override
    public CompletionStage<List<Reading>> decide(Plan plan) {
        return answer;
    }

    @Override
    public CompletionStage<Void> firstReached() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public boolean isReachable() {
        return true;
    }

    @Override
    public void close() {}
}
