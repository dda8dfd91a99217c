package dev.weir.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.Refusal;
import dev.weir.http2.message.Budget;
import dev.weir.http2.opening.Methods;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told of calls that are refused before anybody looks at their message. */
final class RefusalsTest {
    private static final String NO_ERROR = "\0\0\0\0";

    private final List<Refusal> told = new ArrayList<>();
    private final List<String> heard = new ArrayList<>();
    private final EmbeddedCaller caller = new EmbeddedCaller();
    private final Connection connection = caller.connect(
            new Methods(Map.of(), (_, replies) -> new NotedCall(heard, replies), 100_000, null, told::add),
            new Budget(1_000));

    @BeforeEach
    void greet() {
        caller.greet();
    }

    @AfterEach
    void end() {
        caller.close();
    }

    @ParameterizedTest
    @CsvSource({
        ":path, elsewhere, PATH",
        "content-type, text/plain, CONTENT_TYPE",
        ":method, PUT, METHOD",
        "grpc-encoding, snappy, ENCODING",
        "grpc-timeout, soon, TIMEOUT"
    })
    void a_header_that_is_wrong_is_the_reason(String name, String value, Refusal reason) {
        caller.send(caller.headers(1, EmbeddedCaller.END_STREAM, name, value));
        caller.send(caller.headers(3, 0, name, value));
        assertThat(told).containsExactly(reason, reason);
        assertThat(heard).isEmpty();
        assertThat(caller.came(EmbeddedCaller.RST_STREAM))
                .as("of the one whose rest is still to come")
                .containsExactly(NO_ERROR);
        assertThat(connection.connection().numActiveStreams()).isZero();
    }

    @Test
    void a_header_without_a_name_ends_the_connection() {
        caller.send(EmbeddedCaller.block(1, EmbeddedCaller.END_STREAM, "838684" + "40" + "00" + "00"));
        assertThat(told).containsExactly(Refusal.PROTOCOL);
        assertThat(heard).isEmpty();
        assertThat(caller.came(EmbeddedCaller.GO_AWAY)).hasSize(1);
        assertThat(caller.channel().isOpen()).isFalse();
    }

    /** An Envoy whose cluster has no http2_protocol_options, one that speaks TLS, and anybody. */
    @ParameterizedTest
    @ValueSource(
            strings = {"POST /a HTTP/1.1\r\nhost: weir\r\n\r\n", "\u0016\u0003\u0001\u0002\0\u0001", "who is there?"})
    void who_does_not_begin_as_http_2_does_is_told_of(String said) {
        try (var stranger = new EmbeddedCaller()) {
            var methods = new Methods(Map.of(), (_, replies) -> new NotedCall(heard, replies), 9, null, told::add);
            var _ = stranger.connect(methods, new Budget(1_000));
            assertThat(told).isEmpty();
            stranger.send(Unpooled.copiedBuffer(said, StandardCharsets.ISO_8859_1));
            assertThat(stranger.channel().isOpen()).isFalse();
        }
        assertThat(told).containsExactly(Refusal.PROTOCOL);
    }

    @Test
    void what_comes_of_a_refused_call_later_is_not_told_of_again() {
        caller.send(caller.headers(1, 0, "grpc-encoding", "snappy"));
        caller.send(EmbeddedCaller.data(1, EmbeddedCaller.END_STREAM, EmbeddedCaller.message(9, 1)));
        assertThat(told).containsExactly(Refusal.ENCODING);
        assertThat(caller.channel().isOpen()).isTrue();
    }

    @Test
    void trailers_of_a_refused_call_are_not_answered_again() {
        caller.send(caller.headers(1, 0, "content-type", "text/plain"), trailers(1));
        caller.send(
                caller.headers(3, 0, "content-type", "text/plain"),
                EmbeddedCaller.data(3, 0, EmbeddedCaller.message(5, 5)),
                trailers(3));
        caller.send(EmbeddedCaller.settings(EmbeddedCaller.INITIAL_WINDOW_SIZE, 0));
        caller.send(caller.headers(5, 0, "content-type", "text/plain"));
        caller.send(trailers(5));
        assertThat(told).containsExactly(Refusal.CONTENT_TYPE, Refusal.CONTENT_TYPE, Refusal.CONTENT_TYPE);
        assertThat(caller.came(EmbeddedCaller.HEADERS)).hasSize(3);
        assertThat(caller.channel().isOpen()).isTrue();
    }

    private ByteBuf trailers(int stream) {
        return caller.headers(stream, EmbeddedCaller.END_STREAM, new DefaultHttp2Headers().set("x", "y"));
    }

    @Test
    void more_headers_than_are_taken_are_the_reason() {
        String sixtyBytes = "90"; // accept-encoding, of the static table
        caller.send(EmbeddedCaller.block(1, EmbeddedCaller.END_STREAM, "838684" + sixtyBytes.repeat(2_200)));
        assertThat(told).containsExactly(Refusal.HEADER_LIST);
        assertThat(caller.channel().isOpen()).isTrue();
    }

    @Test
    void frames_that_end_the_connection_are_told_of_once() {
        caller.send(EmbeddedCaller.data(0, 0, EmbeddedCaller.message(1, 1)));
        assertThat(told).containsExactly(Refusal.PROTOCOL);
        assertThat(caller.came(EmbeddedCaller.GO_AWAY)).hasSize(1);
    }

    @Test
    void calls_that_are_answered_cancelled_or_break_off_later_are_not_told_of() {
        caller.send(caller.headers(1, EmbeddedCaller.END_STREAM));
        caller.send(caller.headers(3, 0));
        caller.send(EmbeddedCaller.number(EmbeddedCaller.RST_STREAM, 3, 8));
        caller.send(
                caller.headers(5, 0), EmbeddedCaller.data(5, EmbeddedCaller.END_STREAM, EmbeddedCaller.message(9, 1)));
        assertThat(heard).isNotEmpty();
        assertThat(told).isEmpty();
    }
}
