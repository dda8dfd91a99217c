package dev.weir.bench.report;

import dev.weir.bench.Totals;
import dev.weir.bench.load.Load.Pacing;
import dev.weir.words.Unseen;
import java.util.Formatter;
import java.util.Locale;

/** What {@code weir bench} tells people. */
final class ReportTable {
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final double NANOS_PER_MILLI = 1e6;

    private final Report report;
    private final Formatter text = new Formatter(Locale.ROOT);

    private ReportTable(Report report) {
        this.report = report;
    }

    /** Returns a line on what was counted in one second of many. */
    static String progress(String what, int second, Totals totals, double seconds) {
        return String.format(
                Locale.ROOT,
                "%s, second %d: %,.0f verdicts/s, p50 %.2f ms, p99 %.2f ms, max %.2f ms, %,d errors",
                what,
                second,
                totals.verdicts() / seconds,
                Report.millis(totals, 50),
                Report.millis(totals, 99),
                Report.millis(totals, 100),
                totals.errorCount());
    }

    /** Returns the whole. */
    static String of(Report report) {
        var table = new ReportTable(report);
        table.load();
        table.counts();
        table.latencies();
        return table.text.toString();
    }

    private void load() {
        var load = report.load();
        text.format(
                "asked       %s%s, domain %s: %s%n",
                report.address(),
                report.isTls() ? " over TLS" : "",
                Unseen.shown(load.question().domain()),
                Unseen.shown(String.join(" ", report.descriptors())));
        text.format("keys        %,d (%s), seed %d%n", load.keys().count(), report.keys(), load.seed());
        switch (load.pacing()) {
            case Pacing.Closed(int streams) ->
                text.format("load        closed loop, %d connections x %d streams", load.connections(), streams);
            case Pacing.Open(int rate) ->
                text.format("load        open loop, %,d requests/s over %d connections", rate, load.connections());
        }
        if (load.deadline().isPositive()) {
            text.format(", deadline %s ms", load.deadline().toNanos() / NANOS_PER_MILLI);
        }
        text.format(
                "%nmeasured    %.1f s after %.1f s of warm-up%n%n",
                report.stretch().seconds(), report.warmup().toMillis() / MILLIS_PER_SECOND);
    }

    private void counts() {
        var totals = report.totals();
        text.format("verdicts/s  %,14.0f%n", report.verdictsPerSecond());
        text.format("requests    %,14d%n", totals.requests());
        row("  within", totals.within());
        row("  over limit", totals.over());
        row("  errors", totals.errorCount());
        totals.errors().forEach((kind, count) -> row("    " + kind, count));
        String firstError = totals.firstError();
        if (firstError != null) {
            text.format("the first error: %s%n", Unseen.shown(firstError));
        }
        // Who asks only after an answer loses few requests by an outage, however long it is.
        if (totals.connectionsLost() > 0 || totals.reconnectsFailed() > 0) {
            text.format(
                    "connections lost: %,d, of attempts to replace one %,d failed%n",
                    totals.connectionsLost(), totals.reconnectsFailed());
        }
    }

    private void row(String name, long count) {
        double share = 100.0 * count / Math.max(1, report.totals().requests());
        // Names of statuses are longer than the column; their numbers may stand further right.
        text.format("%-12s%,14d %6.2f %%%n", name, count, share);
    }

    private void latencies() {
        text.format("%nlatency ms  %10s", "mean");
        Report.PERCENTILES.forEach(percentile -> text.format(" %10s", percentile.name()));
        text.format("%n            %10.3f", report.meanMillis());
        Report.PERCENTILES.forEach(
                percentile -> text.format(" %10.3f", Report.millis(report.totals(), percentile.percent())));
        text.format("%n");
        if (report.stretch().totals().requests() > 0) {
            text.format("%nThe generator took %.2f us of processor time a request.%n", report.cpuMicrosPerRequest());
        }
    }
}
