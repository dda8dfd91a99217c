package dev.weir.telemetry;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;

/** Sends spans and tells when that stops or begins to work. */
record WatchedSpanExporter(SpanExporter exporter, Outage outage) implements SpanExporter {
    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        return outage.watch(exporter.export(spans));
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
