package dev.weir.store.memory;

import dev.weir.store.Shelf;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A shelf of this process alone: what stands there is gone with it. */
public final class MemoryShelf implements Shelf {
    private Standing standing = Standing.NOTHING;

    @Override
    public String place() {
        return "the memory of this process";
    }

    @Override
    public synchronized CompletionStage<String> stamp() {
        return CompletableFuture.completedFuture(standing.stamp());
    }

    @Override
    public synchronized CompletionStage<Standing> read() {
        return CompletableFuture.completedFuture(standing);
    }

    @Override
    public synchronized CompletionStage<Boolean> replace(String stamp, Standing next) {
        boolean stillStands = standing.stamp().equals(stamp);
        if (stillStands) {
            standing = next;
        }
        return CompletableFuture.completedFuture(stillStands);
    }
}
