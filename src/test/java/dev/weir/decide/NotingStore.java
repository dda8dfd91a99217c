package dev.weir.decide;

import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Notes what is asked, and passes it on. */
final class NotingStore extends Store.Layer {
    final List<Plan> asked;

    /**
     * Wraps a store.
     *
     * @param asked gets every plan, in the order in which they come
     */
    NotingStore(Store next, List<Plan> asked) {
        super(next);
        this.asked = asked;
    }

    @Override
    public CompletionStage<List<Reading>> decide(Plan plan) {
        asked.add(plan);
        return next.decide(plan);
    }
}
