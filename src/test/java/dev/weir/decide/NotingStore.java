package dev.weir.decide;

import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Notes what is asked, and passes it on.
 *
 * @param next who answers
 * @param asked every plan, in the order in which they came
 */
record NotingStore(Store next, List<Plan> asked) implements Store {
    @Override
    public CompletionStage<List<Reading>> decide(Plan plan) {
        asked.add(plan);
        return next.decide(plan);
    }

    @Override
    public CompletionStage<Boolean> forget(Check check) {
        return next.forget(check);
    }

    @Override
    public CompletionStage<Void> firstReached() {
        return next.firstReached();
    }

    @Override
    public boolean isReachable() {
        return next.isReachable();
    }

    @Override
    public void close() {
        next.close();
    }
}
