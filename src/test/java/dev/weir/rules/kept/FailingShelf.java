package dev.weir.rules.kept;

import dev.weir.store.Shelf;
import dev.weir.store.StoreException;
import dev.weir.store.memory.MemoryShelf;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A shelf that can be lost, emptied, and overtaken by somebody else between two steps of who asks. */
public final class FailingShelf implements Shelf {
    private MemoryShelf shelf = new MemoryShelf();
    private @Nullable StoreException failure;
    private boolean losesAnswers;
    private Runnable beforeReplace = () -> {};

    /** From now on every question fails so; null if none does. */
    public void fail(@Nullable StoreException with) {
        failure = with;
    }

    /** From now on what is put is put, and nobody hears of it. */
    public void loseAnswers() {
        losesAnswers = true;
    }

    /** Runs this once, before the next text is put. */
    void beforeReplace(Runnable task) {
        beforeReplace = task;
    }

    /** Begins anew with what another one holds. */
    void becomes(Standing standing) {
        shelf = new MemoryShelf();
        shelf.replace("", standing);
    }

    @Override
    public String place() {
        return "the key edge:weir:rules";
    }

    @Override
    public CompletionStage<String> stamp() {
        return failure == null ? shelf.stamp() : CompletableFuture.failedFuture(failure);
    }

    @Override
    public CompletionStage<Standing> read() {
        return failure == null ? shelf.read() : CompletableFuture.failedFuture(failure);
    }

    @Override
    public CompletionStage<Boolean> replace(String stamp, Standing next) {
        Runnable task = beforeReplace;
        beforeReplace = () -> {};
        task.run();
        CompletionStage<Boolean> answer =
                failure == null ? shelf.replace(stamp, next) : CompletableFuture.failedFuture(failure);
        return losesAnswers ? new CompletableFuture<>() : answer;
    }
}
