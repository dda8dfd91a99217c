package dev.weir.store.redis;

import dev.weir.store.Plan;
import dev.weir.store.Reading;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A queue of its own for each hash tag of a cluster. A node that is slow or gone then holds up the plans of its own
 * counters only; in one queue its batches would soon take all turns.
 */
final class Lanes {
    private final HashTags tags;
    private final Dispatcher[] byTag;
    private final Runnable chargeKept;

    /**
     * Creates the lanes.
     *
     * @param dispatcher makes one for a tag
     * @param chargeKept is told if hits could not be given back
     */
    Lanes(HashTags tags, Supplier<Dispatcher> dispatcher, Runnable chargeKept) {
        this.tags = tags;
        this.byTag = Stream.generate(dispatcher).limit(tags.count()).toArray(Dispatcher[]::new);
        this.chargeKept = chargeKept;
    }

    /** Queues a plan, in parts where its counters are in several tags. */
    CompletableFuture<List<Reading>> decide(Plan plan) {
        var pending = new PendingPlan(plan, this::scatter);
        if (plan.isTogether(tags::tagOf)) {
            submit(pending);
        } else {
            scatter(pending);
        }
        return pending.answer();
    }

    /** Queues a plan whose counters are all in one tag. */
    void submit(PendingPlan together) {
        byTag[tags.tagOf(together.plan().checks().getFirst().key())].submit(together);
    }

    private void scatter(PendingPlan whole) {
        new ScatteredPlan(whole, tags::tagOf, this::submit, chargeKept).decide();
    }
}
