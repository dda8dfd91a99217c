package dev.weir.metrics;

import dev.weir.jvm.JvmMeters;
import dev.weir.meter.Histogram;
import dev.weir.meter.Meters;
import dev.weir.meter.PrometheusText;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Statistic;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is counted, written for readers: for people, and for Prometheus. A page may be megabytes long; so one is made at a time.
 */
public final class MetricPages {
    private final Statistics statistics;
    private final GoCounters counters;

    /**
     * Prepares the pages.
     *
     * @param hasLocalCache whether hits that were refused from memory are told apart
     */
    public MetricPages(Statistics statistics, boolean hasLocalCache) {
        this.statistics = statistics;
        this.counters = new GoCounters(statistics, hasLocalCache);
    }

    /** Returns {@code name{tag=value}: number} for each meter, sorted. */
    public synchronized List<String> lines() {
        List<String> lines = new ArrayList<>();
        statistics.registry().getMeters().forEach(meter -> lines.add(line(meter)));
        lines.add(line(MeterNames.STORE_LATENCY, statistics.storeLatency()));
        lines.add(line(MeterNames.BATCH_SIZE, statistics.batchSize()));
        counters.forEach((name, count) -> lines.add(name + ": " + count));
        for (HitCounts.NamedSeries named : statistics.hitCounts().named()) {
            for (Stat stat : Stat.values()) {
                lines.add(MeterNames.LIMIT_HITS + "{rule=" + named.rule() + ",limit=" + named.limit() + ",stat="
                        + stat.word() + "}: " + named.series().count(stat));
            }
        }
        statistics.redisMemory().forEach((name, bytes) -> lines.add(name + ": " + bytes));
        Collections.sort(lines);
        return lines;
    }

    private static String line(String name, Histogram histogram) {
        return name + ": " + histogram.count();
    }

    private static String line(Meter meter) {
        String tags = meter.getId().getTags().stream()
                .map(tag -> tag.getKey() + "=" + tag.getValue())
                .collect(Collectors.joining(","));
        return meter.getId().getName() + (tags.isEmpty() ? "" : "{" + tags + "}") + ": " + whole(value(meter));
    }

    /** A gauge that cannot be asked is not a number. */
    private static String whole(double value) {
        return Double.isFinite(value) ? new BigDecimal(value).toBigInteger().toString() : String.valueOf(value);
    }

    private static double value(Meter meter) {
        double value = 0;
        for (var measurement : meter.measure()) {
            if (measurement.getStatistic() == Statistic.COUNT || measurement.getStatistic() == Statistic.VALUE) {
                value = measurement.getValue();
            }
        }
        return value;
    }

    /** Returns all that Prometheus shall know, in its text format. */
    public String prometheus() {
        var page = new StringWriter();
        try {
            prometheus(page);
        } catch (IOException e) {
            throw new UncheckedIOException("a string writer cannot fail", e);
        }
        return page.toString();
    }

    /** Writes all that Prometheus shall know, in its text format. */
    public synchronized void prometheus(Writer to) throws IOException {
        var text = new PrometheusText();
        counters.forCalls((dotted, count) -> tell(dotted, count, text));
        SeriesText.add(counters, statistics.hitCounts().named(), text);
        tellOwn(text);
        text.write(to);
    }

    /** Tells every meter under its name of Prometheus. */
    public synchronized void tell(Meters meters) {
        counters.forEach((dotted, count) -> tell(dotted, count, meters));
        statistics.hitCounts().named().forEach(named -> tell(named, meters));
        tellOwn(meters);
    }

    private static void tell(String dotted, long count, Meters meters) {
        PrometheusName name = PrometheusName.of(dotted);
        meters.counter(name.metric(), name.pairs(), (double) count);
    }

    private void tellOwn(Meters meters) {
        statistics.registry().getMeters().forEach(meter -> tell(meter, meters));
        statistics.redisMemory().tell(meters);
        for (Rpc rpc : Rpc.values()) {
            if (statistics.calls(rpc) > 0) {
                List<String> labels = List.of(PrometheusName.METHOD_LABEL, rpc.word());
                statistics.responseTime(rpc).tell(meters, PrometheusName.RESPONSE_TIME, labels);
            }
        }
        String latency = PrometheusName.escaped(MeterNames.STORE_LATENCY) + "_seconds";
        statistics.storeLatency().tell(meters, latency, List.of());
        statistics.batchSize().tell(meters, PrometheusName.escaped(MeterNames.BATCH_SIZE), List.of());
        JvmMeters.tell(meters);
    }

    private static void tell(HitCounts.NamedSeries named, Meters meters) {
        for (Stat stat : Stat.values()) {
            long count = named.series().count(stat);
            if (count != 0) {
                meters.counter(
                        PrometheusName.escaped(MeterNames.LIMIT_HITS) + "_total",
                        List.of("rule", named.rule(), "limit", named.limit(), "stat", stat.word()),
                        (double) count);
            }
        }
    }

    private static void tell(Meter meter, Meters meters) {
        String name = PrometheusName.escaped(meter.getId().getName());
        List<String> labels = meter.getId().getTags().stream()
                .flatMap(tag -> Stream.of(tag.getKey(), tag.getValue()))
                .toList();
        if (meter.getId().getType() == Meter.Type.COUNTER) {
            meters.counter(name + "_total", labels, value(meter));
        } else {
            String unit = meter.getId().getBaseUnit();
            meters.gauge(unit == null ? name : name + "_" + unit, labels, value(meter));
        }
    }
}
