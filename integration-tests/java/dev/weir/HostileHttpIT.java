package dev.weir;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Http;
import dev.weir.testing.WeirProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What callers over HTTP send without an end, to a Weir with the heap that it has by itself. */
final class HostileHttpIT {
    private static final Map<String, String> NO_RULES = Map.of();
    private static final long MUCH = 256L << 20;

    @ParameterizedTest
    @CsvSource({
        "/livez, '10000000\r\n'", // a chunk as large
        "/json, '10000000\r\n'",
        "/json, ''", // the size of a chunk in as many digits
    })
    void a_body_that_does_not_fit_into_memory_is_none_of_it(String path, String begun) {
        try (var weir = WeirProcess.start(NO_RULES)) {
            try (var socket =
                    new Socket(InetAddress.getLoopbackAddress(), weir.http("/").getPort())) {
                var out = socket.getOutputStream();
                String head = "POST " + path + " HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + begun;
                out.write(head.getBytes(ISO_8859_1));
                byte[] zeros = "0".repeat(1 << 16).getBytes(ISO_8859_1);
                for (long sent = 0; sent < MUCH; sent += zeros.length) {
                    out.write(zeros);
                }
            } catch (SocketException e) {
                assertThat(e).as("it was left").hasMessageMatching("(?s).*(reset|Broken pipe).*");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            assertThat(weir.isAlive()).as(weir.output()).isTrue();
            assertThat(Http.get(weir.http("/livez")).body()).isEqualTo("alive\n");
        }
    }

    @Test
    void a_body_that_breaks_off_is_no_line_in_the_log() throws IOException {
        try (var weir = WeirProcess.start(NO_RULES)) {
            weir.awaitOutput("ready "); // the last line of the start
            String before = weir.output();
            for (int i = 0; i < 10; i++) {
                try (var socket = new Socket(
                        InetAddress.getLoopbackAddress(), weir.http("/").getPort())) {
                    socket.getOutputStream()
                            .write("POST /json HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n{"
                                    .getBytes(ISO_8859_1));
                    socket.shutdownOutput();
                    assertThat(socket.getInputStream().readAllBytes()).isEmpty();
                }
            }
            assertThat(weir.stop()).isZero();
            assertThat(weir.output().substring(before.length()).strip().lines())
                    .as("all that is said is that it ends")
                    .hasSize(2)
                    .allMatch(line -> line.contains(" Weir ends: ") || line.contains(" Weir has ended"));
        }
    }
}
