package dev.weir.bench.report;

import dev.weir.bench.Stretch;
import dev.weir.bench.Totals;
import dev.weir.bench.load.Keys;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.ZipfKeys;
import java.time.Duration;
import java.util.List;

/**
 * What {@code weir bench} has to tell.
 *
 * @param address that was asked
 * @param isTls whether it was asked over TLS
 * @param descriptors as typed
 * @param isWithoutLimit whether the service has no limit on them, so that all passed
 * @param load that was put on it
 * @param warmup before it was measured
 * @param stretch that was measured
 * @param totals of it, and of what was still under way at its end
 */
public record Report(
        String address,
        boolean isTls,
        List<String> descriptors,
        boolean isWithoutLimit,
        Load load,
        Duration warmup,
        Stretch stretch,
        Totals totals) {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MICROS_PER_SECOND = 1e6;

    /** Copies the descriptors. */
    public Report {
        descriptors = List.copyOf(descriptors);
    }

    /** Returns a line on what was counted in one second of many. */
    public static String progress(String what, int second, Totals totals, double seconds) {
        return ReportTable.progress(what, second, totals, seconds);
    }

    /** Returns the whole for people, in lines. */
    public String text() {
        return ReportTable.of(this);
    }

    /** Returns the whole as JSON. */
    public String json() {
        return ReportJson.of(this);
    }

    /** A percentile, and what it is called. */
    record Percentile(String name, double percent) {}

    static final List<Percentile> PERCENTILES = List.of(
            new Percentile("p50", 50),
            new Percentile("p90", 90),
            new Percentile("p99", 99),
            new Percentile("p99.9", 99.9),
            new Percentile("p99.99", 99.99),
            new Percentile("max", 100));

    /** Returns which keys were asked for, as {@code --keys} has it. */
    String keys() {
        return switch (load.keys()) {
            case Keys.One _ -> "one";
            case Keys.Uniform _ -> "uniform";
            case ZipfKeys zipf -> "zipf:" + zipf.exponent();
        };
    }

    /** Returns the verdicts of the stretch by its length: what came after its end is none of its speed. */
    double verdictsPerSecond() {
        return stretch.totals().verdicts() / stretch.seconds();
    }

    /** Returns what the generator itself cost; 0 if no request ended in the stretch. */
    double cpuMicrosPerRequest() {
        long requests = stretch.totals().requests();
        return requests == 0 ? 0 : stretch.cpuSeconds() * MICROS_PER_SECOND / requests;
    }

    double meanMillis() {
        return totals.meanNanos() / NANOS_PER_MILLI;
    }

    static double millis(Totals totals, double percent) {
        return totals.latencyNanos(percent) / NANOS_PER_MILLI;
    }
}
