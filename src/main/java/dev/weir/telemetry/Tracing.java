package dev.weir.telemetry;

import dev.weir.call.Trace;
import dev.weir.call.Tracer;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.extension.trace.propagation.B3Propagator;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Follows the calls of one method: a span for each that is sampled.
 *
 * <p>A call whose caller is traced, by W3C's header or those of B3, is sampled if the caller is; of the others a share is.
 * Whether it is comes first, and a call that is not costs the look at three headers.
 *
 * <p>Spans wait in a queue of {@value #MOST_WAITING} until a thread of their own sends them. When it is full, they are dropped.
 */
public final class Tracing implements Tracer, AutoCloseable {
    private static final int MOST_WAITING = 2_048;
    private static final int LONGEST_VALUE = 256;
    private static final long ENDS_WITHIN_SECONDS = 2;

    private static final String W3C = "traceparent";
    private static final String B3 = "b3";
    private static final String B3_TRACE_ID = "x-b3-traceid";

    private static final TextMapGetter<Headers> GETTER = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Headers headers) {
            return List.of(); // no propagator of ours asks for them all
        }

        @Override
        public @Nullable String get(@Nullable Headers headers, String name) {
            return headers == null ? null : headers.get(name.toLowerCase(Locale.ROOT));
        }
    };

    private final String path;
    private final double share;
    private final SdkTracerProvider provider;
    private final io.opentelemetry.api.trace.Tracer tracer;

    private Tracing(String path, double share, Identity identity, SpanExporter exporter) {
        this.path = path;
        this.share = share;
        provider = SdkTracerProvider.builder()
                .setResource(identity.resource())
                .setSpanLimits(SpanLimits.builder()
                        .setMaxAttributeValueLength(LONGEST_VALUE)
                        .build())
                .addSpanProcessor(BatchSpanProcessor.builder(exporter)
                        .setMaxQueueSize(MOST_WAITING)
                        .setScheduleDelay(Duration.ofSeconds(1))
                        .build())
                .build();
        tracer = provider.get("dev.weir");
    }

    /**
     * Begins to trace.
     *
     * @param path of the method whose calls are followed: {@code /service/method}
     * @param share of the calls that are sampled where the caller says nothing; from 1 on all of them
     */
    public static Tracing start(String path, double share, Identity identity, Collector collector) {
        return new Tracing(path, share, identity, SpanExporters.to(collector));
    }

    /** Begins to trace, and hands what was traced to this exporter. */
    static Tracing to(SpanExporter exporter, String path, double share) {
        return new Tracing(path, share, new Identity(Map.of()), exporter);
    }

    @Override
    public Trace begin(String called, Headers headers) {
        if (!called.equals(path)) {
            return Trace.NONE;
        }
        Context parent = parent(headers);
        SpanContext caller = Span.fromContext(parent).getSpanContext();
        boolean isSampled = caller.isValid()
                ? caller.isSampled()
                : ThreadLocalRandom.current().nextDouble() < share;
        return isSampled ? new CallSpan(tracer, span(parent)) : Trace.NONE;
    }

    /** What B3 says wins where both are there, as in the Go service. */
    private static Context parent(Headers headers) {
        Context parent = Context.root();
        if (headers.get(W3C) != null) {
            parent = W3CTraceContextPropagator.getInstance().extract(parent, headers, GETTER);
        }
        if (headers.get(B3) != null || headers.get(B3_TRACE_ID) != null) {
            parent = B3Propagator.injectingSingleHeader().extract(parent, headers, GETTER);
        }
        return parent;
    }

    private Span span(Context parent) {
        int slash = path.lastIndexOf('/');
        return tracer.spanBuilder(path.substring(1))
                .setParent(parent)
                .setSpanKind(SpanKind.SERVER)
                .setAttribute("rpc.system", "grpc")
                .setAttribute("rpc.service", path.substring(1, slash))
                .setAttribute("rpc.method", path.substring(slash + 1))
                .startSpan();
    }

    /** Sends what waits, for a few seconds at most, and ends. Blocks. */
    @Override
    public void close() {
        var _ = provider.shutdown().join(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS);
    }
}
