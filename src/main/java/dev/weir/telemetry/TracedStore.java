package dev.weir.telemetry;

import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Shows in the spans of calls how long the store took. */
public final class TracedStore implements Store {
    private final Store store;

    /** Wraps a store in Redis. */
    public TracedStore(Store store) {
        this.store = store;
    }

    @Override
    public CompletionStage<List<Reading>> decide(Plan plan) {
        CallSpan call = CallSpan.current();
        if (call == null) {
            return store.decide(plan);
        }
        Span span = call.inRedis(plan.checks().size());
        CompletionStage<List<Reading>> readings = store.decide(plan);
        var _ = readings.handle((_, failure) -> { // whenComplete would wrap each failure, with a stack trace
            if (failure != null) {
                span.setStatus(StatusCode.ERROR, String.valueOf(failure.getMessage()));
            }
            span.end();
            return span;
        });
        return readings; // not what comes after it: to cancel that would not cancel this
    }

    @Override
    public CompletionStage<Boolean> forget(Check check) {
        return store.forget(check);
    }

    @Override
    public CompletionStage<Void> firstReached() {
        return store.firstReached();
    }

    @Override
    public boolean isReachable() {
        return store.isReachable();
    }

    @Override
    public void close() {
        store.close();
    }
}
