package dev.weir.grpc;

import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Answers by a store in memory; or, while it holds, not before it is told to. */
final class HeldStore implements Store {
    private final Store store;
    private final Queue<Held> held = new ConcurrentLinkedQueue<>();
    private volatile boolean isHolding;

    private record Held(Plan plan, CompletableFuture<List<Reading>> answer) {}

    HeldStore(Store store) {
        this.store = store;
    }

    void hold() {
        isHolding = true;
    }

    int held() {
        return held.size();
    }

    long abandoned() {
        return held.stream().filter(waiting -> waiting.answer().isCancelled()).count();
    }

    /** Answers all that is held, on the thread of the caller, as Redis does on a thread of its own. */
    void release() {
        isHolding = false;
        for (Held waiting = held.poll(); waiting != null; waiting = held.poll()) {
            var answer = waiting.answer();
            if (!answer.isCancelled()) {
                var _ = store.decide(waiting.plan()).thenAccept(answer::complete);
            }
        }
    }

    @Override
    public CompletionStage<List<Reading>> decide(Plan plan) {
        if (!isHolding) {
            return store.decide(plan);
        }
        var answer = new CompletableFuture<List<Reading>>();
        held.add(new Held(plan, answer));
        return answer;
    }

    @Override
    public CompletionStage<Boolean> forget(Check check) {
        return store.forget(check);
    }

    @Override
    public CompletionStage<Void> firstReached() {
        return store.firstReached();
    }

    @Override
    public boolean isReachable() {
        return true;
    }

    @Override
    public void close() {
        store.close();
    }
}
