package dev.weir.decide;

import dev.weir.request.Verdict;
import java.util.concurrent.CompletableFuture;

/** Makes decisions without a decider. */
public final class Decisions {
    private Decisions() {}

    /** Returns one that is made when its verdict is there; who abandons it cancels that. */
    public static Decision of(CompletableFuture<Verdict> verdict) {
        return new Decision(verdict, verdict);
    }
}
