package dev.weir.store.layer;

import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Says no from memory where the store behind it said no, and no hit can be admitted yet ({@link OverLimitMemory}).
 *
 * <p>A check that is refused from memory is not sent. The other checks of its plan are, for their hits must not be lost and
 * the request's statuses say what is left; but if the request is refused already, what would be charged on admission only is
 * shown. It never says yes: what is admitted, the store has counted.
 *
 * <p>Looks and refunds always go to the store. A refund makes this replica forget at once, when it is sent and again when it is
 * answered: checks that met the counter in between may have been counted before it. So they may where the counter is forgotten, and only
 * then does the memory forget: what was asked before that is not learned any more, whenever its answer comes.
 */
public final class OverLimitStore extends Store.Layer {
    private final OverLimitMemory memory;
    private final LongSupplier clock;
    private final OverLimitListener listener;

    private OverLimitStore(Store next, OverLimitMemory memory, LongSupplier clock, OverLimitListener listener) {
        super(next);
        this.memory = memory;
        this.clock = clock;
        this.listener = listener;
    }

    /**
     * Wraps a store.
     *
     * @param next who really answers
     * @param bytes how much room the memory takes at most, about
     * @param listener is told what was refused from memory
     */
    public static OverLimitStore around(Store next, long bytes, OverLimitListener listener) {
        return around(next, bytes, listener, System::nanoTime);
    }

    /** The same by another clock of monotonic nanoseconds. */
    static OverLimitStore around(Store next, long bytes, OverLimitListener listener, LongSupplier clock) {
        return new OverLimitStore(next, new OverLimitMemory(bytes, clock), clock, listener);
    }

    @Override
    public CompletionStage<List<Reading>> decide(Plan plan) {
        long asked = clock.getAsLong();
        boolean isRefunding = forgetRefunded(plan, asked);
        Recalled recalled = Recalled.of(plan, memory, asked);
        if (recalled != null) {
            listener.remembered(recalled.size());
            Plan rest = recalled.rest();
            return rest == null
                    ? CompletableFuture.completedFuture(recalled.readings(List.of()))
                    : inStep(rest, asked, isRefunding, recalled);
        }
        if (isRefunding) {
            return inStep(plan, asked, true, null);
        }
        // Most plans go this way: they get the store's own stage, and what is learned may come a moment after the
        // answer.
        CompletionStage<List<Reading>> answer = next.decide(plan);
        var _ = answer.handle((readings, _) -> { // whenComplete would wrap each failure once more, with a stack trace
            learn(plan, readings, asked);
            return plan;
        });
        return answer;
    }

    @Override
    public CompletionStage<Boolean> forget(Check check) {
        return next.forget(check).whenComplete((_, _) -> memory.forget(check.key(), clock.getAsLong()));
    }

    /** Asks the store, and answers when its answer was learned from. */
    private CompletionStage<List<Reading>> inStep(
            Plan rest, long asked, boolean isRefunding, @Nullable Recalled recalled) {
        CompletableFuture<List<Reading>> answer = next.decide(rest).toCompletableFuture();
        var told = new CompletableFuture<List<Reading>>(); // its own, and handle: as above
        var _ = answer.handle((readings, failure) -> {
                    if (isRefunding) {
                        forgetRefunded(rest, clock.getAsLong());
                    }
                    learn(rest, readings, asked);
                    return failure == null
                            ? told.complete(recalled == null ? readings : recalled.readings(readings))
                            : told.completeExceptionally(
                                    recalled != null && failure instanceof StoreException broken
                                            ? recalled.failure(broken)
                                            : failure);
                })
                .exceptionally(told::completeExceptionally); // a defect in what is learned
        // Who gives up waiting gives up this stage; the store shall know. Where it has answered this means nothing.
        var _ = told.handle((_, failure) -> failure == null || answer.completeExceptionally(failure));
        return told;
    }

    /** Returns whether the plan gives hits back. */
    private boolean forgetRefunded(Plan plan, long now) {
        boolean isRefunding = false;
        List<Check> checks = plan.checks();
        for (int i = 0; i < checks.size(); i++) { // indexed: an iterator for each request would be garbage
            if (checks.get(i).isRefund()) {
                memory.forget(checks.get(i).key(), now);
                isRefunding = true;
            }
        }
        return isRefunding;
    }

    /**
     * Learns from the store's answer; there is none, null, if it failed. What is asked twice in a plan says nothing: the
     * first may have taken, for the time of the plan only, what the second found missing.
     */
    private void learn(Plan plan, @Nullable List<Reading> readings, long asked) {
        if (readings == null) {
            return;
        }
        List<Check> checks = plan.checks();
        Set<CounterKey> repeated = null; // of most plans nobody asks for it
        for (int i = 0; i < checks.size(); i++) { // indexed: as above
            if (!readings.get(i).isAdmitted()) {
                repeated = repeated == null ? repeated(plan) : repeated;
                if (!repeated.contains(checks.get(i).key())) {
                    memory.remember(checks.get(i), readings.get(i), asked);
                }
            }
        }
    }

    /** Returns the counters that a plan asks for more than once. Each compared with each, many checks would hold up an event loop. */
    private static Set<CounterKey> repeated(Plan plan) {
        if (!plan.repeats()) {
            return Set.of();
        }
        Set<CounterKey> seen = new HashSet<>();
        Set<CounterKey> repeated = new HashSet<>();
        for (Check check : plan.checks()) {
            if (!seen.add(check.key())) {
                repeated.add(check.key());
            }
        }
        return repeated;
    }

    /** Nothing is learned from an answer for which nobody waits. */
    @Override
    public void knock(Plan plan) {
        forgetRefunded(plan, clock.getAsLong());
        next.knock(plan);
    }
}
