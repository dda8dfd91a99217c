package dev.weir.decide;

import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A store of which one part is silent. */
final class PartlySilentStore extends Store.Layer {
    final List<Plan> asked = new ArrayList<>();
    final List<Plan> knocks = new ArrayList<>();
    private final Predicate<Check> isSilent;

    /**
     * Silences a part of a store.
     *
     * @param isSilent whether the counter of a check lives there
     */
    PartlySilentStore(Store whole, Predicate<Check> isSilent) {
        super(whole);
        this.isSilent = isSilent;
    }

    /** Silences the part that keeps all counters whose key has a word. */
    static PartlySilentStore of(Store whole, String word) {
        return new PartlySilentStore(
                whole, check -> new String(check.key().bytes(), StandardCharsets.ISO_8859_1).contains(word));
    }

    @Override
    public CompletionStage<List<Reading>> decide(Plan plan) {
        asked.add(plan);
        return plan.checks().stream().anyMatch(isSilent)
                ? CompletableFuture.failedFuture(new StoreException("is silent"))
                : next.decide(plan);
    }

    @Override
    public int parts() {
        return 2;
    }

    @Override
    public int partOf(Check check) {
        return isSilent.test(check) ? 1 : 0;
    }

    @Override
    public @Nullable StoreException silenceOf(Check check) {
        return isSilent.test(check) ? new StoreException("a part of it is silent") : null;
    }

    @Override
    public void knock(Plan plan) {
        knocks.add(plan);
    }
}
