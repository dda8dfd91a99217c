package dev.weir.decide;

import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreBusyException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Has no room for anyone. */
final class BusyStore implements Store {
    @Override
    public CompletionStage<List<Reading>> decide(Plan plan) {
        return CompletableFuture.failedFuture(new StoreBusyException());
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
