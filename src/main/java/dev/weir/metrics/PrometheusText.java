package dev.weir.metrics;

import java.math.BigDecimal;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Writes what is counted in Prometheus's text format, version 0.0.4.
 *
 * <p>Written by hand, because the client library adds {@code _total} to every counter, and the names of the Go service have
 * none: dashboards and alerts shall not notice which of the two they look at.
 */
final class PrometheusText {
    private final StringBuilder page = new StringBuilder();
    private final SortedMap<String, SortedMap<String, Long>> counters = new TreeMap<>();

    /** Adds to a counter: names that mean the same are one. */
    void count(PrometheusName name, long count) {
        counters.computeIfAbsent(name.metric(), _ -> new TreeMap<>()).merge(name.labels(), count, Long::sum);
    }

    /** Writes the counters that were added. */
    void writeCounters() {
        counters.forEach((metric, series) -> {
            type(metric, "counter");
            for (Map.Entry<String, Long> one : series.entrySet()) {
                page.append(metric)
                        .append(one.getKey())
                        .append(' ')
                        .append(one.getValue().longValue())
                        .append('\n');
            }
        });
        counters.clear();
    }

    void writeGauge(String metric, String labels, double value) {
        type(metric, "gauge");
        sample(metric, labels, value);
    }

    /**
     * Writes a histogram.
     *
     * @param labels as in {@code {a="b"}}, or empty
     */
    void writeHistogram(String metric, String labels, Histogram histogram) {
        type(metric, "histogram");
        histogramSamples(metric, labels, histogram);
    }

    void type(String metric, String type) {
        page.append("# TYPE ").append(metric).append(' ').append(type).append('\n');
    }

    /** Writes the lines of one of the histograms of a metric. */
    void histogramSamples(String metric, String labels, Histogram histogram) {
        String before = labels.isEmpty() ? "{" : labels.substring(0, labels.length() - 1) + ",";
        long soFar = 0;
        for (int i = 0; i < histogram.classes(); i++) {
            soFar += histogram.count(i);
            sample(metric + "_bucket", before + "le=\"" + text(histogram.bound(i)) + "\"}", (double) soFar);
        }
        sample(metric + "_sum", labels, histogram.sum());
        sample(metric + "_count", labels, (double) soFar);
    }

    private void sample(String metric, String labels, double value) {
        page.append(metric).append(labels).append(' ').append(text(value)).append('\n');
    }

    private static String text(double value) {
        if (Double.isInfinite(value)) {
            return "+Inf";
        }
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    @Override
    public String toString() {
        return page.toString();
    }
}
