package dev.weir.store.redis;

import dev.weir.store.Batch;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.StoreException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A plan on its way: collects the readings of its checks, which may come with several calls, and then completes. */
final class PendingPlan implements Batch.Receiver {
    private final Plan plan;
    private final CompletableFuture<List<Reading>> answer = new CompletableFuture<>();
    private final Reading[] readings;
    // Orders the writes to readings, made on different threads, before the read by whoever counts down to zero.
    private final AtomicInteger missing;

    PendingPlan(Plan plan) {
        this.plan = plan;
        this.readings = new Reading[plan.checks().size()];
        this.missing = new AtomicInteger(readings.length);
    }

    Plan plan() {
        return plan;
    }

    CompletableFuture<List<Reading>> answer() {
        return answer;
    }

    /** Returns whether nobody waits any more: the deadline has passed, the caller has gone, or another check has failed. */
    @Override
    public boolean isOver() {
        return answer.isDone();
    }

    @Override
    public void answered(int position, Reading reading) {
        readings[position] = reading;
        if (missing.decrementAndGet() == 0) {
            answer.complete(Arrays.asList(readings));
        }
    }

    @Override
    public void failed(int position, StoreException failure) {
        answer.completeExceptionally(failure);
    }
}
