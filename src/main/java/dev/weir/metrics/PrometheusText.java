package dev.weir.metrics;

import dev.weir.meter.Help;
import dev.weir.meter.Meters;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Writes what is counted in Prometheus's text format, version 0.0.4.
 *
 * <p>Written by hand, because the client library adds {@code _total} to every counter, and the names of the Go service have
 * none: dashboards and alerts shall not notice which of the two they look at.
 */
final class PrometheusText implements Meters {
    private final SortedMap<String, SortedMap<String, Double>> counters = new TreeMap<>();
    private final SortedMap<String, SortedMap<String, Double>> gauges = new TreeMap<>();
    private final SortedMap<String, StringBuilder> histograms = new TreeMap<>();

    @Override
    public void counter(String metric, List<String> labels, double value) {
        counters.computeIfAbsent(metric, _ -> new TreeMap<>()).merge(PrometheusName.labels(labels), value, Double::sum);
    }

    @Override
    public void gauge(String metric, List<String> labels, double value) {
        gauges.computeIfAbsent(metric, _ -> new TreeMap<>()).put(PrometheusName.labels(labels), value);
    }

    @Override
    public void histogram(String metric, List<String> labels, double[] bounds, long[] counts, double sum) {
        StringBuilder lines = histograms.computeIfAbsent(metric, _ -> new StringBuilder());
        String shown = PrometheusName.labels(labels);
        String before = shown.isEmpty() ? "{" : shown.substring(0, shown.length() - 1) + ",";
        long soFar = 0;
        for (int i = 0; i < counts.length; i++) {
            soFar += counts[i];
            String bound = i < bounds.length ? text(bounds[i]) : "+Inf";
            sample(lines, metric + "_bucket", before + "le=\"" + bound + "\"}", (double) soFar);
        }
        sample(lines, metric + "_sum", shown, sum);
        sample(lines, metric + "_count", shown, (double) soFar);
    }

    private static void sample(StringBuilder lines, String metric, String labels, double value) {
        lines.append(metric).append(labels).append(' ').append(text(value)).append('\n');
    }

    private static String text(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    @Override
    public String toString() {
        var page = new StringBuilder();
        write(page, "counter", counters);
        write(page, "gauge", gauges);
        histograms.forEach((metric, lines) -> head(page, metric, "histogram").append(lines));
        return page.toString();
    }

    private static void write(StringBuilder page, String type, SortedMap<String, SortedMap<String, Double>> byMetric) {
        byMetric.forEach((metric, series) -> {
            head(page, metric, type);
            for (Map.Entry<String, Double> one : series.entrySet()) {
                sample(page, metric, one.getKey(), one.getValue());
            }
        });
    }

    private static StringBuilder head(StringBuilder page, String metric, String type) {
        String help = Help.of(metric);
        if (!help.isEmpty()) {
            page.append("# HELP ").append(metric).append(' ').append(help).append('\n');
        }
        return page.append("# TYPE ").append(metric).append(' ').append(type).append('\n');
    }
}
