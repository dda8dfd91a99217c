package dev.weir.decide;

import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Answers every plan alike, whatever it asks.
 *
 * @param answers gives the answer to each
 */
public record OneAnswerStore(Supplier<CompletableFuture<List<Reading>>> answers) implements Store {
    public OneAnswerStore(CompletableFuture<List<Reading>> answer) {
        this(() -> answer);
    }

    @Override
    public CompletionStage<List<Reading>> decide(Plan plan) {
        return answers.get();
    }

    @Override
    public CompletionStage<Boolean> forget(Check check) {
        return answers.get().thenApply(_ -> true);
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
