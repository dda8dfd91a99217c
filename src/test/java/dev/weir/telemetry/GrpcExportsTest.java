package dev.weir.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.Outcome;
import io.grpc.Status;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is sent to a collector over gRPC, and how often. */
final class GrpcExportsTest {
    private static final int CALLS = 8;
    private static final int EXPORTS_FOR_A_CALL = 80;
    private static final Duration BETWEEN_EXPORTS = Duration.ofMillis(100);
    private static final Identity WEIR = new Identity(Map.of("service.name", "RateLimit", "service.namespace", ""));

    @Test
    void a_span_goes_packed_and_with_the_headers_if_it_shall() throws IOException {
        try (var collector = new TakingCollector()) {
            trace(collector.where(Map.of("Authorization", "Bearer open-sesame", "x-tenant", "edge"), true));
            trace(collector.where(Map.of(), false));
            assertThat(collector.taken()).hasSize(2);
            var packed = collector.taken().getFirst();
            assertThat(packed.said("authorization")).isEqualTo("Bearer open-sesame");
            assertThat(packed.said("x-tenant")).isEqualTo("edge");
            assertThat(packed.said("grpc-encoding")).isEqualTo("gzip");
            var bare = collector.taken().getLast();
            assertThat(bare.said("authorization")).isNull();
            assertThat(bare.said("grpc-encoding")).isNull();
            assertThat(collector.taken())
                    .allSatisfy(taken -> assertThat(taken.words())
                            .contains("some.Service/Ask", "service.name", "RateLimit")
                            .doesNotContain("service.namespace"));
        }
    }

    @Test
    void spans_are_sent_again_to_a_collector_that_has_a_hiccup_and_only_to_such() throws IOException {
        try (var collector =
                new TakingCollector(Status.UNAVAILABLE, Status.UNAVAILABLE, Status.OK, Status.UNAUTHENTICATED)) {
            var exporter = SpanExporters.to(collector.where(Map.of(), false));
            assertThat(exporter.export(List.of()).join(10, TimeUnit.SECONDS).isSuccess())
                    .isTrue();
            assertThat(collector.taken()).hasSize(3);
            assertThat(exporter.export(List.of()).join(10, TimeUnit.SECONDS).isSuccess())
                    .isFalse();
            assertThat(collector.taken()).hasSize(4);
            assertThat(exporter.shutdown().isDone()).isTrue();
        }
    }

    @Test
    void meters_are_not_sent_again_as_the_next_time_tells_all_of_it() throws IOException {
        List<MetricData> seen = new CopyOnWriteArrayList<>();
        try (var collector = new TakingCollector(Status.UNAVAILABLE)) {
            long began = nowNanos();
            var pushed = PushedMetrics.start(
                    meters -> {
                        meters.gauge("weir_store_reachable", List.of(), 1);
                        seen.addAll(((OtlpMeters) meters).of(Resource.getDefault()));
                    },
                    Duration.ofHours(1),
                    WEIR,
                    collector.where(Map.of(), false));
            pushed.close(); // which sends once more
            assertThat(collector.taken())
                    .singleElement()
                    .satisfies(taken -> assertThat(taken.words()).contains("weir_store_reachable"));
            assertThat(seen.getFirst().getData().getPoints()).singleElement().satisfies(point -> {
                assertThat(point.getStartEpochNanos()).isBetween(began, point.getEpochNanos());
                assertThat(point.getEpochNanos()).isLessThanOrEqualTo(nowNanos());
            });
        }
    }

    private static long nowNanos() {
        return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    }

    private static void trace(Collector collector) {
        try (var tracing = Tracing.start("/some.Service/Ask", 1, WEIR, collector)) {
            tracing.begin("/some.Service/Ask", _ -> null).ended(Outcome.OK);
        }
    }

    /** Left to gRPC, nothing would reach a collector for two minutes after it is back: each wait is 1.6 times as long as the one before. */
    @Test
    void a_collector_is_called_anew_however_often_it_hung_up() throws IOException {
        try (var away = new ServerSocket(0, CALLS, InetAddress.getLoopbackAddress())) {
            away.setSoTimeout((int) BETWEEN_EXPORTS.toMillis());
            var exporter = SpanExporters.to(new Collector(
                    true,
                    URI.create("http://127.0.0.1:" + away.getLocalPort()),
                    Map.of(),
                    false,
                    Duration.ofSeconds(10),
                    null));
            for (int i = 0; i < CALLS; i++) {
                called(away, exporter).close();
            }
            assertThat(exporter.shutdown().isDone()).isTrue();
        }
    }

    /** An export may come before it is heard that the collector hung up. */
    private static Socket called(ServerSocket away, SpanExporter exporter) throws IOException {
        for (int i = 0; i < EXPORTS_FOR_A_CALL; i++) {
            var _ = exporter.export(List.of());
            try {
                return away.accept();
            } catch (SocketTimeoutException _) {
                // the next export calls
            }
        }
        throw new AssertionError("nobody calls");
    }
}
