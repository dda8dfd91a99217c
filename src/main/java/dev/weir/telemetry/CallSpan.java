package dev.weir.telemetry;

import dev.weir.call.Outcome;
import dev.weir.call.Trace;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import org.jspecify.annotations.Nullable;

/** The span of one call. */
final class CallSpan implements Trace {
    /** The call that each thread works on, for the store to know whom it works for. */
    private static final ThreadLocal<@Nullable CallSpan> CURRENT = new ThreadLocal<>();

    private final Tracer tracer;
    private final Span span;

    CallSpan(Tracer tracer, Span span) {
        this.tracer = tracer;
        this.span = span;
    }

    /** Returns the call that this thread works on, or null if that is none or not followed. */
    static @Nullable CallSpan current() {
        return CURRENT.get();
    }

    @Override
    public void asked(String domain, int descriptors) {
        span.setAttribute("ratelimit.domain", domain);
        span.setAttribute("ratelimit.descriptors", descriptors);
        CURRENT.set(this);
    }

    @Override
    public void handedOver() {
        CURRENT.remove();
    }

    @Override
    public void decided(boolean isOver) {
        span.setAttribute("ratelimit.overall_code", isOver ? "OVER_LIMIT" : "OK");
    }

    /** Begins the part of the call that is spent in Redis, under the Go service's name for it. */
    Span inRedis(int checks) {
        return tracer.spanBuilder("Redis Pipeline Execution")
                .setParent(Context.root().with(span))
                .setSpanKind(SpanKind.CLIENT)
                .setAttribute("db.system.name", "redis")
                .setAttribute("ratelimit.checks", checks)
                .startSpan();
    }

    @Override
    public void ended(Outcome outcome) {
        span.setAttribute("rpc.grpc.status_code", outcome.code());
        if (isOurFault(outcome.code())) {
            span.setStatus(StatusCode.ERROR, outcome.message() == null ? "" : outcome.message());
        }
        span.end();
    }

    /** What OpenTelemetry counts as an error of a server: UNKNOWN, DEADLINE_EXCEEDED, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS. */
    private static boolean isOurFault(int code) {
        return switch (code) {
            case 2, Outcome.DEADLINE_EXCEEDED, Outcome.UNIMPLEMENTED, Outcome.INTERNAL, 14, 15 -> true;
            default -> false;
        };
    }
}
