package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Edge;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Nothing that an end user sends switches a limit off: Envoy lets requests pass where Weir answers with an error, and most of what
 * Weir is asked was written by the user.
 */
final class EndUserIT {
    private static final int PATIENCE_MILLIS = 30_000;
    private static final String TRACED = "traceparent: 00-11111111111111111111111111111111-2222222222222222-01\r\n";

    private static Edge edge;

    @BeforeAll
    static void start() {
        edge = Edge.startTraced("""
            domain: edge
            descriptors:
              - { key: path, value: /traced, rate_limit: { unit: year, requests_per_unit: 1 } }
              - key: tier
                value: free
                descriptors:
                  - { key: user, rate_limit: { unit: year, requests_per_unit: 2 } }
            """);
    }

    @AfterAll
    static void end() {
        edge.close();
    }

    @Test
    void what_a_user_says_of_a_trace_may_be_as_long_as_envoy_lets_it() throws IOException {
        assertThat(get("/traced", TRACED)).isEqualTo(200);
        for (int length : new int[] {4_000, 12_000, 55_000}) {
            assertThat(get("/traced", TRACED + "tracestate: a=" + "x".repeat(length) + "\r\n"))
                    .isEqualTo(429);
        }
        assertThat(edge.stat("error")).isZero();
    }

    @Test
    void bytes_that_are_no_text_are_counted_as_well() throws IOException {
        String odd = "x-tier: free\r\nx-user: \u00ff\u00fe\r\n";
        assertThat(get("/odd", odd)).isEqualTo(200);
        assertThat(get("/odd", odd)).isEqualTo(200);
        assertThat(get("/odd", odd)).isEqualTo(429);
        assertThat(edge.stat("error")).isZero();
    }

    /** Clients that others wrote do not send such headers. Returns the status. */
    private static int get(String path, String headers) throws IOException {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), edge.envoy().port("edge"))) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            String request = "GET " + path + " HTTP/1.1\r\nhost: edge\r\nconnection: close\r\n" + headers + "\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            return Integer.parseInt(in.readLine().split(" ", 3)[1]);
        }
    }
}
