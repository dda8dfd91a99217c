package dev.weir.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Servers of statsd that do not behave. */
final class StatsdLineTest {
    private static final int PATIENCE_MILLIS = 20_000;
    private static final int MORE_THAN_SOCKETS_HOLD = 64 << 20;

    @Test
    void a_server_that_reads_nothing_is_given_up_and_another_is_told() throws IOException {
        try (var server = new ServerSocket(0, 2, InetAddress.getLoopbackAddress());
                var line = new StatsdLine("127.0.0.1", server.getLocalPort(), false, Duration.ofMillis(100))) {
            server.setSoTimeout(PATIENCE_MILLIS);
            assertThatThrownBy(() -> line.send(List.of("x".repeat(MORE_THAN_SOCKETS_HOLD))))
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessage("it has taken nothing for 100 ms");
            try (var _ = server.accept()) {
                line.send(List.of("hits:1|c"));
            }
            try (var next = server.accept()) {
                next.setSoTimeout(PATIENCE_MILLIS);
                assertThat(new String(next.getInputStream().readNBytes(9), StandardCharsets.UTF_8))
                        .isEqualTo("hits:1|c\n");
            }
        }
    }

    @Test
    void a_server_that_reads_slowly_is_told_all() throws IOException {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var line = new StatsdLine("127.0.0.1", server.getLocalPort(), false, Duration.ofSeconds(20))) {
            server.setSoTimeout(PATIENCE_MILLIS);
            var read = CompletableFuture.supplyAsync(() -> read(server));
            line.send(List.of("x".repeat(MORE_THAN_SOCKETS_HOLD)));
            assertThat(read.join()).isEqualTo(MORE_THAN_SOCKETS_HOLD + 1);
        }
    }

    private static int read(ServerSocket server) {
        try (var accepted = server.accept()) {
            accepted.setSoTimeout(PATIENCE_MILLIS);
            return accepted.getInputStream().readNBytes(MORE_THAN_SOCKETS_HOLD + 1).length;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
