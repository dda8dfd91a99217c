package dev.weir.meter;

import java.io.IOException;
import java.io.Writer;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes what is counted in Prometheus's text format, version 0.0.4.
 *
 * <p>Written by hand, because the client library adds {@code _total} to every counter, and the names of the Go service have
 * none: dashboards and alerts shall not notice which of the two they look at.
 *
 * <p>What rules and callers make is not told but asked, line by line, when its turn comes: there may be ten thousands of them, and as text
 * they are several times as large as what is counted.
 */
public final class PrometheusText implements Meters {
    private final SortedMap<String, SortedMap<String, Double>> counters = new TreeMap<>();
    private final SortedMap<String, SortedMap<String, Double>> gauges = new TreeMap<>();
    private final SortedMap<String, StringBuilder> histograms = new TreeMap<>();
    private final SortedMap<String, Family> families = new TreeMap<>();
    private Iterator<Lone> lones = Collections.emptyIterator();

    /** The counters of one metric. */
    @FunctionalInterface
    public interface Family {

        /** Writes them in the order of their labels, each once. */
        void write(PrometheusLines lines) throws IOException;
    }

    /** A counter without labels, whose metric has no other. */
    public record Lone(String metric, double value) {}

    @Override
    public void counter(String metric, List<String> labels, double value) {
        counters.computeIfAbsent(metric, _ -> new TreeMap<>()).merge(labels(labels), value, Double::sum);
    }

    @Override
    public void gauge(String metric, List<String> labels, double value) {
        gauges.computeIfAbsent(metric, _ -> new TreeMap<>()).put(labels(labels), value);
    }

    @Override
    public void histogram(String metric, List<String> labels, double[] bounds, long[] counts, double sum) {
        StringBuilder lines = histograms.computeIfAbsent(metric, _ -> new StringBuilder());
        String shown = labels(labels);
        String before = shown.isEmpty() ? "{" : shown.substring(0, shown.length() - 1) + ",";
        long soFar = 0;
        for (int i = 0; i < counts.length; i++) {
            soFar += counts[i];
            String bound = i < bounds.length ? PrometheusLines.text(bounds[i]) : "+Inf";
            sample(lines, metric + "_bucket", before + "le=\"" + bound + "\"}", (double) soFar);
        }
        sample(lines, metric + "_sum", shown, sum);
        sample(lines, metric + "_count", shown, (double) soFar);
    }

    private static void sample(StringBuilder lines, String metric, String labels, double value) {
        lines.append(metric)
                .append(labels)
                .append(' ')
                .append(PrometheusLines.text(value))
                .append('\n');
    }

    /** Returns labels in braces, of names and values in turn; nothing if there are none. */
    private static String labels(List<String> pairs) {
        var labels = new StringBuilder();
        for (int i = 0; i < pairs.size(); i += 2) {
            PrometheusLines.label(labels, pairs.get(i), pairs.get(i + 1));
        }
        return labels.isEmpty() ? "" : labels.append('}').toString();
    }

    /** Adds many counters of one metric, which is told of no others. */
    public void counters(String metric, Family family) {
        families.put(metric, family);
    }

    /** Adds many counters that have a metric each, in the order of these. */
    public void lones(Iterator<Lone> added) {
        lones = added;
    }

    /** Writes all of it, counters first, in the order of their names. */
    public void write(Writer to) throws IOException {
        var lines = new PrometheusLines(to);
        counters.forEach((metric, series) -> families.put(metric, family(series)));
        Lone lone = next();
        for (Map.Entry<String, Family> family : families.entrySet()) {
            for (; lone != null && lone.metric().compareTo(family.getKey()) < 0; lone = next()) {
                write(lone, lines);
            }
            lines.begin(family.getKey(), "counter");
            family.getValue().write(lines);
        }
        for (; lone != null; lone = next()) {
            write(lone, lines);
        }
        for (Map.Entry<String, SortedMap<String, Double>> gauge : gauges.entrySet()) {
            lines.begin(gauge.getKey(), "gauge");
            family(gauge.getValue()).write(lines);
        }
        for (Map.Entry<String, StringBuilder> histogram : histograms.entrySet()) {
            lines.begin(histogram.getKey(), "histogram");
            lines.written(histogram.getValue());
        }
    }

    private @Nullable Lone next() {
        return lones.hasNext() ? lones.next() : null;
    }

    private static void write(Lone lone, PrometheusLines lines) throws IOException {
        lines.begin(lone.metric(), "counter");
        lines.sample("", lone.value());
    }

    private static Family family(SortedMap<String, Double> series) {
        return lines -> {
            for (Map.Entry<String, Double> one : series.entrySet()) {
                lines.sample(one.getKey(), one.getValue());
            }
        };
    }
}
