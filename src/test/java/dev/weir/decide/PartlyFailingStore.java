package dev.weir.decide;

import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A store of which one part is full: it is asked, and fails what it keeps. */
final class PartlyFailingStore extends Store.Layer {
    private final Predicate<Check> isFull;

    /**
     * Fills a part of a store.
     *
     * @param isFull whether the counter of a check lives there
     */
    PartlyFailingStore(Store whole, Predicate<Check> isFull) {
        super(whole);
        this.isFull = isFull;
    }

    @Override
    public CompletionStage<List<Reading>> decide(Plan plan) {
        List<Check> counted = plan.checks().stream().filter(isFull.negate()).toList();
        var failure = StoreException.ofAnswer("a part of it is full");
        if (counted.isEmpty()) {
            return CompletableFuture.failedFuture(failure);
        }
        var readings = next.decide(new Plan(counted, plan.beyond()))
                .toCompletableFuture()
                .join()
                .iterator();
        var some = new ArrayList<@Nullable Reading>();
        for (Check check : plan.checks()) {
            some.add(isFull.test(check) ? null : readings.next());
        }
        return CompletableFuture.failedFuture(failure.withReadings(some));
    }
}
