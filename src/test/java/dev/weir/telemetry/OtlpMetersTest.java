package dev.weir.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.PointData;
import io.opentelemetry.sdk.resources.Resource;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told of meters, as OpenTelemetry has it. */
final class OtlpMetersTest {
    private static final long START = 1_000;
    private static final long NOW = 5_000;
    private static final Resource WEIR = Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), "weir"));
    private static final AttributeKey<String> DOMAIN = AttributeKey.stringKey("domain");
    private static final AttributeKey<String> KEY = AttributeKey.stringKey("key1");

    private final OtlpMeters meters = new OtlpMeters(START, NOW);

    @Test
    void a_counter_is_a_sum_since_the_start_and_what_is_told_twice_adds_up() {
        meters.counter("ratelimit_hits", List.of("domain", "edge", "key1", "user"), 2);
        meters.counter("ratelimit_hits", List.of("domain", "edge", "key1", "path"), 3);
        meters.counter("ratelimit_hits", List.of("domain", "edge", "key1", "user"), 5);
        MetricData hits = only();
        assertThat(hits.getDoubleSumData().isMonotonic()).isTrue();
        assertThat(hits.getDoubleSumData().getAggregationTemporality()).isEqualTo(AggregationTemporality.CUMULATIVE);
        assertThat(hits.getDoubleSumData().getPoints())
                .allSatisfy(OtlpMetersTest::isOfTheWholeTime)
                .extracting(DoublePointData::getAttributes, DoublePointData::getValue)
                .containsExactlyInAnyOrder(
                        tuple(Attributes.of(DOMAIN, "edge", KEY, "user"), 7.0),
                        tuple(Attributes.of(DOMAIN, "edge", KEY, "path"), 3.0));
    }

    @Test
    void a_gauge_is_what_it_is() {
        meters.gauge("weir_store_reachable", List.of(), 1);
        assertThat(only().getDoubleGaugeData().getPoints()).singleElement().satisfies(point -> {
            assertThat(point.getValue()).isEqualTo(1);
            assertThat(point.getAttributes().isEmpty()).isTrue();
            isOfTheWholeTime(point);
        });
    }

    @Test
    void a_histogram_has_its_classes_and_the_sum_of_all_values() {
        meters.histogram(
                "response_seconds", List.of("domain", "edge"), new double[] {0.1, 1}, new long[] {4, 2, 1}, 9.5);
        var histogram = only().getHistogramData();
        assertThat(histogram.getAggregationTemporality()).isEqualTo(AggregationTemporality.CUMULATIVE);
        assertThat(histogram.getPoints()).singleElement().satisfies(point -> {
            assertThat(point.getBoundaries()).containsExactly(0.1, 1.0);
            assertThat(point.getCounts()).containsExactly(4L, 2L, 1L);
            assertThat(point.getCount()).isEqualTo(7);
            assertThat(point.getSum()).isEqualTo(9.5);
            assertThat(point.hasMin()).isFalse();
            assertThat(point.hasMax()).isFalse();
            assertThat(point.getAttributes()).isEqualTo(Attributes.of(DOMAIN, "edge"));
            isOfTheWholeTime(point);
        });
    }

    private MetricData only() {
        Collection<MetricData> all = meters.of(WEIR);
        assertThat(all).hasSize(1);
        MetricData metric = all.iterator().next();
        assertThat(metric.getResource()).isSameAs(WEIR);
        return metric;
    }

    private static void isOfTheWholeTime(PointData point) {
        assertThat(point.getStartEpochNanos()).isEqualTo(START);
        assertThat(point.getEpochNanos()).isEqualTo(NOW);
    }
}
