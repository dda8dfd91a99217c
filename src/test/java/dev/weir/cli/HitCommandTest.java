package dev.weir.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.decide.Answering;
import dev.weir.decide.Bounds;
import dev.weir.decide.DeafListener;
import dev.weir.decide.Decider;
import dev.weir.grpc.DeafCalls;
import dev.weir.grpc.GrpcServer;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.logging.Logs;
import dev.weir.loop.EventLoops;
import dev.weir.rules.Domain;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.RateLimit;
import dev.weir.rules.RuleNode;
import dev.weir.rules.RuleSet;
import dev.weir.settings.Logging;
import dev.weir.store.memory.MemoryStore;
import dev.weir.testing.DeafPort;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code weir hit} against a real service: two hits a minute for each path, none counted for the admin. */
final class HitCommandTest {
    private final Terminal terminal = new Terminal();
    private final EventLoops loops = new EventLoops();
    private final GrpcServer server = new GrpcServer(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new Decider(
                    HitCommandTest::rules,
                    new MemoryStore(() -> 30_000_000, 100, Long.MAX_VALUE),
                    null,
                    new Bounds(10, 10, 10),
                    Answering.PLAIN,
                    new DeafListener()),
            1 << 20,
            Duration.ofSeconds(1),
            loops,
            new DeafCalls());
    private String address = "";

    @BeforeEach
    void start() throws Exception {
        address = "127.0.0.1:" + server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop(Duration.ofSeconds(1));
        loops.close();
        Logs.start(new Logging(Logging.Level.INFO, Logging.Format.TEXT));
    }

    @Test
    void a_request_that_may_pass_is_told_descriptor_by_descriptor() {
        assertThat(hit("path=/a?b=c", "user=root", "color=red,size=")).isZero();
        assertThat(terminal.out()).isEqualTo("""
                        OK
                          path=/a?b=c: OK, limit 2 per minute (two), 1 left, resets in 30 s
                          user=root: OK, unlimited
                          color=red,size=: OK, no limit applied (no rule, or replaced)
                        """);
    }

    @Test
    void a_comma_of_a_value_has_a_backslash() {
        assertThat(hit("path=/a\\,b,size=\\c")).isZero();
        assertThat(terminal.out()).isEqualTo("OK\n  path=/a,b,size=\\c: OK, no limit applied (no rule, or replaced)\n");
    }

    @Test
    void a_window_that_is_no_unit_is_told_as_far_as_the_protocol_tells_it() {
        assertThat(hit("agent=bot")).isZero();
        assertThat(terminal.out()).isEqualTo("""
                        OK
                          agent=bot: OK, limit 7 per window of several units, 6 left, resets in 270 s
                        """);
    }

    @Test
    void no_hits_only_look() {
        assertThat(hit("--hits", "0", "path=/a")).isZero();
        assertThat(hit("--hits", "2", "path=/a")).isZero();
        assertThat(hit("--hits", "0", "path=/a")).isZero();
        assertThat(hit("path=/a")).isEqualTo(3);
    }

    @Test
    void a_request_that_is_refused_exits_with_3() {
        assertThat(hit("--hits", "3", "path=/a")).isEqualTo(3);
        assertThat(terminal.out()).isEqualTo("""
                        OVER LIMIT
                          path=/a: OVER LIMIT, limit 2 per minute (two), 0 left, resets in 30 s
                        """);
    }

    @Test
    void a_request_beyond_the_services_bounds_is_told_in_its_words() {
        assertThat(hit("--hits", "11", "path=/a")).isEqualTo(1);
        assertThat(terminal.err()).contains("INVALID_ARGUMENT", "10").hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost", "[::1]"})
    void a_service_that_is_not_there_is_told_in_one_sentence(String host) {
        try (var nobody = DeafPort.hold()) {
            address = host + ":" + nobody.number();
            assertThat(hit("path=/a")).isEqualTo(1);
        }
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err()).contains(address).hasLineCount(1);
    }

    @Test
    void a_host_that_grpc_does_not_take_is_told_in_one_sentence() {
        address = "weir_service:8081";
        assertThat(hit("path=/a")).isEqualTo(1);
        assertThat(terminal.err())
                .startsWith("gRPC takes no host with such a name: " + address)
                .hasLineCount(1);
    }

    @Test
    void tls_with_who_does_not_speak_it_is_told_in_one_sentence() {
        assertThat(hit("--tls", "path=/a")).isEqualTo(1);
        assertThat(terminal.err()).contains(address, "it does not speak TLS").hasLineCount(1);
    }

    /** The counters of the store are 100: its failure is an answer of a service that is there. */
    @Test
    void a_service_that_answers_with_a_failure_is_there() {
        int exit = 0;
        for (int i = 0; i <= 100 && exit == 0; i += 10) {
            exit = hit(
                    IntStream.range(i, i + 10).mapToObj("path=/%d"::formatted).toArray(String[]::new));
        }
        assertThat(exit).isEqualTo(1);
        assertThat(terminal.err())
                .startsWith("the service at " + address + " answered UNAVAILABLE: ")
                .hasLineCount(1);
    }

    @Test
    void somebody_who_speaks_no_grpc_is_told_with_the_port_that_is_meant() throws Exception {
        try (var socket = new ServerSocket(0)) {
            var other = Thread.ofVirtual().start(() -> {
                try (var accepted = socket.accept()) {
                    accepted.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
                    accepted.getInputStream().readAllBytes();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            address = "127.0.0.1:" + socket.getLocalPort();
            assertThat(hit("path=/a")).isEqualTo(1);
            other.join();
        }
        assertThat(terminal.err())
                .startsWith("what listens at " + address + " speaks no gRPC; is it GRPC_PORT (8081)? (")
                .hasLineCount(1);
    }

    /** A proxy that refuses speaks HTTP/2, and so does a service that ends a call: their port is none to look for. */
    @ParameterizedTest
    @CsvSource({
        // type and payload of the frame that answers, code, reason
        "1, 0803343031, UNAUTHENTICATED, HTTP status code 401",
        "1, 0803343033, PERMISSION_DENIED, HTTP status code 403",
        "3, 00000002, INTERNAL, RST_STREAM",
        "3, 00000008, CANCELLED, RST_STREAM",
        "3, 0000000b, RESOURCE_EXHAUSTED, RST_STREAM",
    })
    void a_refusal_of_a_proxy_and_a_reset_are_not_taken_for_a_wrong_port(
            int type, String payload, String code, String reason) throws Exception {
        answered(type, payload);
        assertThat(terminal.err())
                .startsWith("the call to " + address + " failed: " + code + ": " + reason)
                .hasLineCount(1);
    }

    /** Who speaks HTTP/2 in the clear does not wait for a handshake. */
    @Test
    void a_proxy_without_a_service_behind_it_is_not_asked_whether_it_wants_tls() throws Exception {
        answered(1, "0803353033"); // :status 503
        assertThat(terminal.err())
                .startsWith("the service at " + address + " is not available: HTTP status code 503")
                .doesNotContain("TLS")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource({"88, UNKNOWN", "8d, UNIMPLEMENTED", "8c, INTERNAL"})
    void a_web_server_is_told_with_the_port_that_is_meant(String status, String code) throws Exception {
        answered(1, status);
        assertThat(terminal.err())
                .startsWith("what listens at " + address + " speaks no gRPC; is it GRPC_PORT (8081)? (" + code + ": ")
                .hasLineCount(1);
    }

    /** Asks somebody who answers the call with one frame of HTTP/2. */
    private void answered(int type, String payload) throws Exception {
        try (var socket = new ServerSocket(0)) {
            var other = Thread.ofVirtual().start(() -> {
                try (var accepted = socket.accept()) {
                    answer(accepted, type, HexFormat.of().parseHex(payload));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            address = "127.0.0.1:" + socket.getLocalPort();
            assertThat(hit("path=/a")).isEqualTo(1);
            other.join();
        }
    }

    private static void answer(Socket socket, int type, byte[] payload) throws IOException {
        var in = new DataInputStream(socket.getInputStream());
        var out = socket.getOutputStream();
        in.skipNBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".length());
        out.write(frame(4, 0, 0, new byte[0]));
        while (true) {
            int head = in.readInt();
            in.readByte();
            int stream = in.readInt();
            in.skipNBytes(head >>> 8);
            if ((head & 0xff) == 1) {
                // END_STREAM and END_HEADERS, which mean nothing to a reset
                out.write(frame(type, 5, stream, payload));
                in.transferTo(OutputStream.nullOutputStream());
                return;
            }
        }
    }

    private static byte[] frame(int type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .putInt(payload.length << 8 | type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    /** A handshake that is broken off has a cause without a word; who waits for one hangs up on all else. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_service_that_hangs_up_is_told_in_one_sentence(boolean isOverTls) throws Exception {
        try (var socket = new ServerSocket(0)) {
            var other = Thread.ofVirtual().start(() -> {
                try (var accepted = socket.accept()) {
                    accepted.getInputStream().read();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            address = "127.0.0.1:" + socket.getLocalPort();
            assertThat(isOverTls ? hit("--tls", "path=/a") : hit("path=/a")).isEqualTo(1);
            other.join();
        }
        assertThat(terminal.err())
                .startsWith("the service at " + address + " is not available: ")
                .doesNotContain("null")
                .hasLineCount(1);
        assertThat(terminal.err().contains("; does it want TLS (--tls)?")).isEqualTo(!isOverTls);
    }

    @ParameterizedTest
    @CsvSource({
        "--hits, -1, give 0 to",
        "--hits, many, 'many'",
        "--timeout, 1, give a duration",
        "--address, 8081, give host:port",
        "--name, a host, give the name of a host",
        "--name, a..b, give the name of a host"
    })
    void a_wrong_option_is_told_with_what_is_allowed(String option, String value, String answer) {
        assertThat(terminal.run("hit", "--domain", "shop", option, value, "path=/a"))
                .isEqualTo(2);
        assertThat(terminal.err()).contains(option, value, answer).doesNotContain("\tat ");
    }

    @Test
    void an_entry_without_a_value_is_told() {
        assertThat(hit("path=/a,user")).isEqualTo(2);
        assertThat(terminal.err()).contains("'user' is no entry: give key=value");
    }

    private int hit(String... more) {
        var args = new ArrayList<>(List.of("hit", "--domain", "shop", "--address", address, "--timeout", "30s"));
        args.addAll(List.of(more));
        return terminal.run(args.toArray(String[]::new));
    }

    private static RuleSet rules() {
        var two =
                new RateLimit(List.of(new NamedLimit(Limit.fixedWindow(Quota.per(Unit.MINUTE, 2)), "two")), List.of());
        var fiveMinutes = RateLimit.of(Limit.fixedWindow(new Quota(7, 300)));
        var nodes = List.of(
                node("path", "", two),
                node("agent", "", fiveMinutes),
                node("user", "root", RateLimit.unlimited(List.of())));
        return RuleSet.of(List.of(Domain.of("shop", nodes)));
    }

    private static RuleNode node(String key, String value, RateLimit rateLimit) {
        return new RuleNode(key, value, rateLimit, RuleNode.Flags.NONE, Map.of(), List.of());
    }
}
