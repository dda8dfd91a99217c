package dev.weir.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;

/** Spans on their way to a collector that hangs up. */
final class GrpcExportsTest {
    private static final int CALLS = 8;
    private static final int EXPORTS_FOR_A_CALL = 80;
    private static final Duration BETWEEN_EXPORTS = Duration.ofMillis(100);

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
