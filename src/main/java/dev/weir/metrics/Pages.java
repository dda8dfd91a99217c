package dev.weir.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Statistic;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** What is counted, written for readers: for people, and for Prometheus. */
public final class Pages {
    private final Statistics statistics;
    private final GoCounters counters;

    /**
     * Prepares the pages.
     *
     * @param hasLocalCache whether hits that were refused from memory are told apart
     */
    public Pages(Statistics statistics, boolean hasLocalCache) {
        this.statistics = statistics;
        this.counters = new GoCounters(statistics, hasLocalCache);
    }

    /** Returns {@code name{tag=value}: number} for each meter, sorted. */
    public List<String> lines() {
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
        return meter.getId().getName() + (tags.isEmpty() ? "" : "{" + tags + "}") + ": "
                + new BigDecimal(value(meter)).toBigInteger();
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
        var text = new PrometheusText();
        counters.forEach((name, count) -> text.count(PrometheusName.of(name), count));
        for (HitCounts.NamedSeries named : statistics.hitCounts().named()) {
            addNamed(text, named);
        }
        for (Meter meter : statistics.registry().getMeters()) {
            if (meter.getId().getType() == Meter.Type.COUNTER) {
                text.count(name(meter, "_total"), (long) value(meter));
            }
        }
        text.writeCounters();
        for (Meter meter : statistics.registry().getMeters()) {
            if (meter.getId().getType() == Meter.Type.GAUGE) {
                PrometheusName name = name(meter, "");
                text.writeGauge(name.metric(), name.labels(), value(meter));
            }
        }
        writeResponseTimes(text);
        text.writeHistogram(
                PrometheusName.escaped(MeterNames.STORE_LATENCY) + "_seconds", "", statistics.storeLatency());
        text.writeHistogram(PrometheusName.escaped(MeterNames.BATCH_SIZE), "", statistics.batchSize());
        return text.toString();
    }

    private static void addNamed(PrometheusText text, HitCounts.NamedSeries named) {
        for (Stat stat : Stat.values()) {
            long count = named.series().count(stat);
            if (count != 0) {
                String labels = PrometheusName.label("rule", named.rule(), "limit", named.limit(), "stat", stat.word());
                String metric = PrometheusName.escaped(MeterNames.LIMIT_HITS) + "_total";
                text.count(new PrometheusName(metric, labels), count);
            }
        }
    }

    private void writeResponseTimes(PrometheusText text) {
        boolean isTold = false;
        for (Rpc rpc : Rpc.values()) {
            if (statistics.calls(rpc) > 0) {
                if (!isTold) {
                    text.type(PrometheusName.RESPONSE_TIME, "histogram");
                    isTold = true;
                }
                String labels = PrometheusName.label("grpc_method", rpc.word());
                text.histogramSamples(PrometheusName.RESPONSE_TIME, labels, statistics.responseTime(rpc));
            }
        }
    }

    private static PrometheusName name(Meter meter, String suffix) {
        String[] labels = meter.getId().getTags().stream()
                .flatMap(tag -> List.of(tag.getKey(), tag.getValue()).stream())
                .toArray(String[]::new);
        return new PrometheusName(
                PrometheusName.escaped(meter.getId().getName()) + suffix,
                labels.length == 0 ? "" : PrometheusName.label(labels));
    }
}
