package dev.weir.telemetry;

import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Shows in the spans of calls how long the store took. */
public final class TracedStore extends Store.Layer {
    /** Wraps a store in Redis. */
    public TracedStore(Store store) {
        super(store);
    }

    @Override
    public CompletionStage<List<Reading>> decide(Plan plan) {
        CallSpan call = CallSpan.current();
        if (call == null) {
            return next.decide(plan);
        }
        Span span = call.inRedis(plan.checks().size());
        CompletionStage<List<Reading>> readings = next.decide(plan);
        var _ = readings.handle((_, failure) -> { // whenComplete would wrap each failure, with a stack trace
            if (failure != null) {
                span.setStatus(StatusCode.ERROR, String.valueOf(failure.getMessage()));
            }
            span.end();
            return span;
        });
        return readings; // not what comes after it: to cancel that would not cancel this
    }
}
