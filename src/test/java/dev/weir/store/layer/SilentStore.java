package dev.weir.store.layer;

import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreBusyException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store that answers when the test says so. */
final class SilentStore implements Store {
    private static final int PARTS = 4;

    final List<CompletableFuture<List<Reading>>> asked = new ArrayList<>();
    final List<Plan> plans = new ArrayList<>();
    final List<CompletableFuture<Boolean>> forgets = new ArrayList<>();

    /** Whether it has no room for plans. */
    boolean isBusy;

    /** Whether it answers, too late for anybody. */
    volatile boolean isLate;

    /** What happens when somebody asks for the part of a check. */
    volatile Runnable atPartOf = () -> {};

    /** What happens when somebody asks it. */
    Runnable atDecide = () -> {};

    /** What happens while it closes. */
    Runnable atClose = () -> {};

    @Override
    public CompletionStage<List<Reading>> decide(Plan plan) {
        atDecide.run();
        if (isBusy) {
            return CompletableFuture.failedFuture(new StoreBusyException());
        }
        var answer = new CompletableFuture<List<Reading>>();
        asked.add(answer);
        plans.add(plan);
        return answer;
    }

    @Override
    public int parts() {
        return PARTS;
    }

    @Override
    public boolean hasAnsweredSince(int part, long nanos) {
        return isLate;
    }

    /** The last byte of its key says it. */
    @Override
    public int partOf(Check check) {
        atPartOf.run();
        byte[] key = check.key().bytes();
        return key[key.length - 1] % PARTS;
    }

    @Override
    public CompletionStage<Boolean> forget(Check check) {
        var answer = new CompletableFuture<Boolean>();
        forgets.add(answer);
        return answer;
    }

    @Override
    public CompletionStage<Void> firstReached() {
        return new CompletableFuture<>();
    }

    @Override
    public boolean isReachable() {
        return false;
    }

    @Override
    public void close() {
        atClose.run();
    }
}
