package dev.weir.metrics.statsd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testing.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers of statsd that do not behave. */
final class StatsdLineTest {
    private static final int PATIENCE_MILLIS = 20_000;
    private static final int MORE_THAN_SOCKETS_HOLD = 64 << 20;

    @Test
    void a_server_that_reads_nothing_is_given_up_and_another_is_told() throws IOException {
        try (var server = new ServerSocket(0, 2, InetAddress.getLoopbackAddress());
                var line = new StatsdLine("127.0.0.1", server.getLocalPort(), false, Duration.ofMillis(100))) {
            server.setSoTimeout(PATIENCE_MILLIS);
            assertThatThrownBy(() -> line.send(List.of("x".repeat(MORE_THAN_SOCKETS_HOLD)), _ -> {}))
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessage("it has taken nothing for 100 ms");
            try (var _ = server.accept()) {
                line.send(List.of("hits:1|c"), _ -> {});
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
            line.send(List.of("x".repeat(MORE_THAN_SOCKETS_HOLD)), _ -> {});
            assertThat(read.join()).isEqualTo(MORE_THAN_SOCKETS_HOLD + 1);
        }
    }

    @Test
    void of_a_server_that_stops_in_the_middle_it_is_known_which_lines_it_may_have_got() throws IOException {
        List<String> lines = IntStream.range(0, 4_000)
                .mapToObj(i -> i + "x".repeat(MORE_THAN_SOCKETS_HOLD / 4_000))
                .toList();
        var gone = new AtomicInteger();
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var line = new StatsdLine("127.0.0.1", server.getLocalPort(), false, Duration.ofMillis(100))) {
            server.setSoTimeout(PATIENCE_MILLIS);
            assertThatThrownBy(() -> line.send(lines, gone::set)).isInstanceOf(SocketTimeoutException.class);
            try (var accepted = server.accept()) {
                accepted.setSoTimeout(PATIENCE_MILLIS);
                String got = new String(accepted.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                List<String> begun = got.lines().toList();
                assertThat(begun).hasSize(gone.get()).hasSizeBetween(1, lines.size() - 1);
                assertThat(begun.subList(0, begun.size() - 1)).isEqualTo(lines.subList(0, begun.size() - 1));
            }
        }
    }

    @Test
    void what_a_datagram_told_is_known_before_the_next_one_is_sent() throws IOException {
        var gone = new ArrayList<Integer>();
        try (var socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                var line = new StatsdLine("127.0.0.1", socket.getLocalPort(), true)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            line.send(List.of("a".repeat(700), "b".repeat(700), "c".repeat(70_000), "d".repeat(1_400), "e"), gone::add);
            assertThat(gone).containsExactly(3, 5);
            assertThat(packet(socket)).isEqualTo("a".repeat(700) + "\n" + "b".repeat(700) + "\n");
            assertThat(packet(socket)).isEqualTo("d".repeat(1_400) + "\ne\n");
            gone.clear();
            line.send(List.of("f".repeat(70_000)), gone::add);
            assertThat(gone).as("it never fits").containsExactly(1);
        }
    }

    @Test
    void nothing_is_told_where_no_server_is_and_all_of_it_once_to_the_one_that_comes() throws IOException {
        var gone = new ArrayList<Integer>();
        int port = FreePorts.find();
        try (var line = new StatsdLine("127.0.0.1", port, true)) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> line.send(List.of("hits:1|c"), gone::add))
                        .isInstanceOf(IOException.class)
                        .hasMessage("nobody listens there");
            }
            assertThat(gone).isEmpty();
            try (var socket = new DatagramSocket(port, InetAddress.getLoopbackAddress())) {
                socket.setSoTimeout(PATIENCE_MILLIS);
                line.send(List.of("hits:1|c"), gone::add);
                line.send(List.of("hits:2|c"), gone::add);
                assertThat(packet(socket)).isEqualTo("hits:1|c\n");
                assertThat(packet(socket)).isEqualTo("hits:2|c\n");
            }
            assertThat(gone).containsExactly(1, 1);
            assertThatThrownBy(() -> line.send(List.of("hits:3|c"), gone::add)).hasMessage("nobody listens there");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_host_that_is_not_known_is_named(boolean isUdp) {
        try (var line = new StatsdLine("no.such.invalid", 8125, isUdp)) {
            assertThatThrownBy(() -> line.send(List.of("hits:1|c"), _ -> {}))
                    .isInstanceOf(IOException.class)
                    .hasMessage("there is no host no.such.invalid");
        }
    }

    private static String packet(DatagramSocket socket) throws IOException {
        var packet = new DatagramPacket(new byte[2_000], 2_000);
        do {
            packet.setLength(2_000);
            socket.receive(packet);
        } while (packet.getLength() == 1); // an empty line
        return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8);
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
