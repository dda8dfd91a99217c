package dev.weir.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http2.message.Budget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every connection begins with, and what it wants of its caller. */
final class ConnectionsTest {
    // RFC 9113, sections 6 to 7.
    private static final int PRIORITY = 2;
    private static final int MAX_CONCURRENT_STREAMS = 3;
    private static final int MAX_HEADER_LIST_SIZE = 6;
    private static final int FIRST_WINDOW_BYTES = 65_535;
    private static final String PROTOCOL_ERROR = "\0\0\0\1";

    private final List<String> heard = new ArrayList<>();
    private final EmbeddedCaller caller = new EmbeddedCaller();
    private final Connection connection =
            caller.connect((_, replies) -> new NotedCall(heard, replies), new Budget(1_000));

    @BeforeEach
    void greet() {
        caller.greet();
    }

    @AfterEach
    void end() {
        caller.close();
    }

    @Test
    void a_caller_is_told_how_much_it_may_ask_at_once() {
        ByteBuf said =
                Unpooled.copiedBuffer(caller.came(EmbeddedCaller.SETTINGS).getFirst(), StandardCharsets.ISO_8859_1);
        Map<Integer, Integer> settings = new HashMap<>();
        while (said.isReadable()) {
            settings.put(said.readUnsignedShort(), said.readInt());
        }
        assertThat(settings)
                .containsEntry(MAX_CONCURRENT_STREAMS, 4_000)
                .containsEntry(EmbeddedCaller.INITIAL_WINDOW_SIZE, 1 << 20)
                .containsEntry(MAX_HEADER_LIST_SIZE, 128 << 10);
    }

    @Test
    void it_may_send_a_megabyte_ahead_on_the_whole_connection_too() {
        caller.came();
        var _ = caller.channel().pipeline().fireChannelActive();
        caller.channel().flush();
        ByteBuf more = Unpooled.copiedBuffer(
                caller.came(EmbeddedCaller.WINDOW_UPDATE).getFirst(), StandardCharsets.ISO_8859_1);
        assertThat(FIRST_WINDOW_BYTES + more.readInt()).isEqualTo(1 << 20);
    }

    @Test
    void a_failure_that_nobody_expects_ends_the_connection_and_its_calls() {
        caller.send(caller.headers(1, 0));
        var _ = caller.channel().pipeline().fireExceptionCaught(new IllegalStateException("broken"));
        assertThat(caller.channel().isOpen()).isFalse();
        assertThat(heard).containsExactly("cancelled");
    }

    @ParameterizedTest
    @ValueSource(strings = {":scheme", ":method", ":path"})
    void a_request_without_what_http_demands_is_reset(String name) {
        var headers = new DefaultHttp2Headers()
                .method("POST")
                .scheme("http")
                .path("/any")
                .set("content-type", "application/grpc");
        caller.send(caller.headers(1, EmbeddedCaller.END_STREAM, headers));
        assertThat(heard).containsExactly("asked");
        var _ = headers.remove(name);
        caller.send(caller.headers(3, EmbeddedCaller.END_STREAM, headers));
        assertThat(heard).containsExactly("asked");
        assertThat(caller.came(EmbeddedCaller.RST_STREAM)).containsExactly(PROTOCOL_ERROR);
        assertThat(caller.channel().isOpen()).isTrue();
    }

    @Test
    void a_request_with_a_header_that_http_forbids_is_reset() {
        caller.send(caller.headers(1, EmbeddedCaller.END_STREAM, "connection", "close"));
        assertThat(heard).isEmpty();
        assertThat(caller.came(EmbeddedCaller.RST_STREAM)).containsExactly(PROTOCOL_ERROR);
    }

    @ParameterizedTest
    @CsvSource({"connection, close, false", "te, gzip, false", "te, gzip, true"})
    void the_rest_of_a_call_that_is_reset_for_its_headers_ends_no_other_call(
            String name, String value, boolean isInTwo) {
        caller.send(caller.headers(1, 0));
        ByteBuf refused = caller.headers(3, 0, name, value);
        caller.send(
                EmbeddedCaller.number(EmbeddedCaller.WINDOW_UPDATE, 0, 1), // what is read before it opens nothing
                isInTwo ? EmbeddedCaller.inTwo(refused) : refused,
                EmbeddedCaller.data(3, EmbeddedCaller.END_STREAM, EmbeddedCaller.message(5, 5)));
        assertThat(caller.came(EmbeddedCaller.RST_STREAM)).startsWith(PROTOCOL_ERROR);
        caller.send(caller.headers(5, 0, name, value));
        caller.send(
                EmbeddedCaller.number(EmbeddedCaller.WINDOW_UPDATE, 5, 100),
                EmbeddedCaller.number(EmbeddedCaller.RST_STREAM, 5, 8));
        caller.send(caller.headers(7, EmbeddedCaller.END_STREAM));
        assertThat(heard).containsExactly("asked");
        caller.send(EmbeddedCaller.data(1, EmbeddedCaller.END_STREAM));
        assertThat(heard).containsExactly("asked", "asked");
        assertThat(caller.came(EmbeddedCaller.GO_AWAY)).isEmpty();
        assertThat(connection.connection().numActiveStreams())
                .as("those that were asked")
                .isEqualTo(2);
    }

    @Test
    void only_headers_open_a_stream_that_is_reset() {
        caller.send(EmbeddedCaller.frame(
                PRIORITY, 0, 101, Unpooled.buffer().writeInt(101).writeByte(0)));
        assertThat(caller.came(EmbeddedCaller.RST_STREAM)).containsExactly(PROTOCOL_ERROR);
        caller.send(caller.headers(1, EmbeddedCaller.END_STREAM));
        assertThat(heard).containsExactly("asked");
    }

    @Test
    void headers_on_a_stream_that_is_not_the_callers_end_the_connection_whatever_they_are() {
        caller.send(caller.headers(2, 0, "connection", "close"));
        assertThat(caller.came(EmbeddedCaller.GO_AWAY)).hasSize(1);
        assertThat(caller.channel().isOpen()).isFalse();
    }

    @Test
    void headers_that_are_known_may_end_a_call_too() {
        var trailers = new DefaultHttp2Headers().set("content-type", "application/grpc");
        caller.send(caller.headers(1, 0), caller.headers(1, EmbeddedCaller.END_STREAM, trailers));
        caller.send(caller.headers(3, 0), caller.headers(3, EmbeddedCaller.END_STREAM, trailers));
        assertThat(heard).containsExactly("asked", "asked");
        caller.send(caller.headers(5, 0));
        caller.send(caller.headers(7, 0), caller.headers(7, EmbeddedCaller.END_STREAM)); // pseudo headers end nothing
        assertThat(heard).containsExactly("asked", "asked", "cancelled");
        assertThat(caller.came(EmbeddedCaller.RST_STREAM)).containsExactly(PROTOCOL_ERROR);
    }
}
