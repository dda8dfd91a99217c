package dev.weir.telemetry;

import dev.weir.meter.Meters;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.GaugeData;
import io.opentelemetry.sdk.metrics.data.HistogramData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.data.SumData;
import io.opentelemetry.sdk.resources.Resource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All meters at one moment, as OpenTelemetry has them: under the names of Prometheus, counters as sums since the start. */
final class OtlpMeters implements Meters {
    private final Map<String, Map<Attributes, Double>> counters = new TreeMap<>();
    private final Map<String, List<DoublePointData>> gauges = new TreeMap<>();
    private final Map<String, List<HistogramPointData>> histograms = new TreeMap<>();
    private final long startNanos;
    private final long nowNanos;

    /**
     * Creates it without a meter.
     *
     * @param startNanos when counting began, since the epoch
     * @param nowNanos the moment, since the epoch
     */
    OtlpMeters(long startNanos, long nowNanos) {
        this.startNanos = startNanos;
        this.nowNanos = nowNanos;
    }

    @Override
    public void counter(String metric, List<String> labels, double value) {
        counters.computeIfAbsent(metric, _ -> new HashMap<>()).merge(attributes(labels), value, Double::sum);
    }

    @Override
    public void gauge(String metric, List<String> labels, double value) {
        gauges.computeIfAbsent(metric, _ -> new ArrayList<>()).add(point(attributes(labels), value));
    }

    @Override
    public void histogram(String metric, List<String> labels, double[] bounds, long[] counts, double sum) {
        histograms
                .computeIfAbsent(metric, _ -> new ArrayList<>())
                .add(HistogramPointData.create(
                        startNanos,
                        nowNanos,
                        attributes(labels),
                        sum,
                        false,
                        0,
                        false,
                        0,
                        Arrays.stream(bounds).boxed().toList(),
                        Arrays.stream(counts).boxed().toList()));
    }

    private static Attributes attributes(List<String> labels) {
        var attributes = Attributes.builder();
        for (int i = 0; i < labels.size(); i += 2) {
            attributes.put(labels.get(i), labels.get(i + 1));
        }
        return attributes.build();
    }

    private DoublePointData point(Attributes attributes, double value) {
        return DoublePointData.create(startNanos, nowNanos, attributes, value, List.of());
    }

    /** Returns what was told. */
    Collection<MetricData> of(Resource resource) {
        List<MetricData> all = new ArrayList<>();
        counters.forEach((name, values) -> {
            var points = new ArrayList<DoublePointData>();
            values.forEach((attributes, value) -> points.add(point(attributes, value)));
            all.add(new OtlpMetric(resource, name, MetricDataType.DOUBLE_SUM, sum(points)));
        });
        gauges.forEach((name, points) -> all.add(
                new OtlpMetric(resource, name, MetricDataType.DOUBLE_GAUGE, GaugeData.createDoubleGaugeData(points))));
        histograms.forEach(
                (name, points) -> all.add(new OtlpMetric(resource, name, MetricDataType.HISTOGRAM, histogram(points))));
        return all;
    }

    private static Data<?> sum(List<DoublePointData> points) {
        return SumData.createDoubleSumData(true, AggregationTemporality.CUMULATIVE, points);
    }

    private static Data<?> histogram(List<HistogramPointData> points) {
        return HistogramData.create(AggregationTemporality.CUMULATIVE, points);
    }
}
