package dev.weir.bench.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.bench.load.Load.Pacing;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** What {@code weir bench --json} tells programs. The names are documented (docs/bench.md) and stay. */
final class ReportJson {
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final double NANOS_PER_MILLI = 1e6;

    private ReportJson() {}

    static String of(Report report) {
        var text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
            json.writeStartObject();
            load(json, report);
            counts(json, report);
            json.writeObjectFieldStart("latency_ms");
            json.writeNumberField("mean", report.meanMillis());
            for (var percentile : Report.PERCENTILES) {
                json.writeNumberField(
                        percentile.name().replace('.', '_'), Report.millis(report.totals(), percentile.percent()));
            }
            json.writeEndObject();
            json.writeNumberField("generator_cpu_us_per_request", report.cpuMicrosPerRequest());
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("a text in memory can always be written", e);
        }
        return text.append('\n').toString();
    }

    private static void load(JsonGenerator json, Report report) throws IOException {
        var load = report.load();
        json.writeStringField("address", report.address());
        json.writeBooleanField("tls", report.isTls());
        json.writeStringField("domain", load.question().domain());
        json.writeArrayFieldStart("descriptors");
        for (String descriptor : report.descriptors()) {
            json.writeString(descriptor);
        }
        json.writeEndArray();
        json.writeNumberField("hits", load.question().hits());
        json.writeBooleanField("no_limit", report.isWithoutLimit());
        json.writeStringField("keys", report.keys());
        json.writeNumberField("key_count", load.keys().count());
        json.writeNumberField("seed", load.seed());
        json.writeNumberField("connections", load.connections());
        switch (load.pacing()) {
            case Pacing.Closed(int streams) -> json.writeNumberField("streams", streams);
            case Pacing.Open(int rate) -> json.writeNumberField("rate", rate);
        }
        json.writeNumberField("deadline_ms", load.deadline().toNanos() / NANOS_PER_MILLI);
        json.writeNumberField("warmup_seconds", report.warmup().toMillis() / MILLIS_PER_SECOND);
    }

    private static void counts(JsonGenerator json, Report report) throws IOException {
        var totals = report.totals();
        json.writeNumberField("seconds", report.stretch().seconds());
        json.writeNumberField("verdicts_per_second", report.verdictsPerSecond());
        json.writeNumberField("requests", totals.requests());
        json.writeNumberField("within", totals.within());
        json.writeNumberField("over", totals.over());
        json.writeNumberField("errors", totals.errorCount());
        json.writeObjectFieldStart("errors_by_kind");
        for (var error : totals.errors().entrySet()) {
            json.writeNumberField(error.getKey(), error.getValue());
        }
        json.writeEndObject();
        json.writeStringField("first_error", totals.firstError());
        json.writeNumberField("connections_lost", totals.connectionsLost());
        json.writeNumberField("reconnects_failed", totals.reconnectsFailed());
    }
}
