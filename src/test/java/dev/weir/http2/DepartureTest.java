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
import org.junit.jupiter.params.provider.ValueSource;

/** A caller with a call under way is left, takes long to hear it, and has sent more meanwhile. */
final class DepartureTest {
    private static final String NO_ERROR_AFTER_1 = "\0\0\0\1\0\0\0\0";
    private static final String NO_ERROR_AFTER_3 = "\0\0\0\3\0\0\0\0";
    private static final int PING = 6;
    private static final int LARGEST_FRAME = 16 << 10;

    private final List<String> heard = new ArrayList<>();
    private final List<Refusal> told = new ArrayList<>();
    private final EmbeddedCaller caller = new EmbeddedCaller();
    private final Connection connection = caller.connect(
            new Methods(Map.of(), (_, replies) -> new NotedCall(heard, replies), 100_000, null, told::add),
            new Budget(1_000));

    @BeforeEach
    void ask() {
        caller.greet();
        caller.send(caller.headers(1, 0));
        connection.leave();
    }

    @AfterEach
    void end() {
        caller.close();
    }

    private void hearThatWeLeave() {
        var said = Unpooled.copiedBuffer(caller.came(PING).getLast(), StandardCharsets.ISO_8859_1);
        caller.send(EmbeddedCaller.frame(PING, EmbeddedCaller.ACK, 0, said));
    }

    private static ByteBuf rest(int stream) {
        return EmbeddedCaller.data(stream, EmbeddedCaller.END_STREAM, EmbeddedCaller.message(5, 5));
    }

    private void seeThatTheFirstCallIsAnswered() {
        assertThat(caller.channel().isOpen()).isTrue();
        assertThat(heard).isEmpty();
        caller.send(EmbeddedCaller.data(1, EmbeddedCaller.END_STREAM));
        assertThat(heard).containsExactly("asked");
    }

    @Test
    void what_comes_before_the_last_word_is_answered() {
        caller.send(caller.headers(3, 0), rest(3));
        assertThat(heard).containsExactly("message of 5", "asked");
        caller.pass(2);
        assertThat(caller.came(EmbeddedCaller.GO_AWAY)).last().isEqualTo(NO_ERROR_AFTER_3);
    }

    @Test
    void a_call_that_comes_after_the_last_word_is_ignored_and_ends_no_other() {
        caller.pass(2);
        caller.send(caller.headers(3, 0), rest(3), caller.headers(5, 0));
        caller.send(EmbeddedCaller.number(EmbeddedCaller.WINDOW_UPDATE, 0, 8), rest(5));
        seeThatTheFirstCallIsAnswered();
        assertThat(told).as("its caller has broken no rule").isEmpty();
        assertThat(caller.came(EmbeddedCaller.GO_AWAY)).last().isEqualTo(NO_ERROR_AFTER_1);
    }

    @Test
    void its_headers_are_read_all_the_same_as_they_move_what_others_point_to() {
        caller.pass(2);
        caller.send(caller.headers(3, EmbeddedCaller.END_STREAM, "x", "y"));
        var trailers = new DefaultHttp2Headers().set("content-type", "application/grpc");
        caller.send(caller.headers(1, EmbeddedCaller.END_STREAM, trailers));
        assertThat(heard).containsExactly("asked");
    }

    @Test
    void who_was_told_that_we_leave_is_not_told_again() {
        connection.leave();
        caller.pass(2);
        connection.leave();
        assertThat(caller.came(PING)).hasSize(1);
        seeThatTheFirstCallIsAnswered();
    }

    @ParameterizedTest
    @ValueSource(ints = {EmbeddedCaller.RST_STREAM, EmbeddedCaller.WINDOW_UPDATE})
    void so_is_what_its_caller_says_of_it(int type) {
        caller.pass(2);
        caller.send(caller.headers(3, 0), EmbeddedCaller.number(type, 3, 8));
        seeThatTheFirstCallIsAnswered();
    }

    @Test
    void so_is_one_with_a_header_that_may_not_be() {
        caller.pass(2);
        caller.send(caller.headers(3, 0, "connection", "close"), rest(3));
        seeThatTheFirstCallIsAnswered();
    }

    @Test
    void its_bytes_are_given_back_to_the_calls_that_go_on() {
        caller.pass(2);
        caller.came();
        caller.send(caller.headers(3, 0));
        for (int bytes = 0; bytes < 4 * ConnectionBuilder.WINDOW_BYTES; bytes += LARGEST_FRAME) {
            caller.send(EmbeddedCaller.data(3, 0, Unpooled.buffer().writeZero(LARGEST_FRAME)));
        }
        assertThat(caller.came(EmbeddedCaller.WINDOW_UPDATE)).hasSizeGreaterThan(3);
        seeThatTheFirstCallIsAnswered();
    }

    @Test
    void the_connection_ends_with_its_last_call_when_that_is_answered() {
        hearThatWeLeave();
        caller.send(EmbeddedCaller.data(1, 0, EmbeddedCaller.message(5, 5)));
        assertThat(caller.channel().isOpen()).isTrue();
        caller.send(EmbeddedCaller.data(1, 0, EmbeddedCaller.message(5, 5)));
        assertThat(caller.channel().isOpen()).isFalse();
        assertThat(heard).containsExactly("message of 5", "message of 5");
    }

    @Test
    void so_it_does_when_that_is_late() {
        caller.send(EmbeddedCaller.number(EmbeddedCaller.RST_STREAM, 1, 8), caller.headers(3, 0, "grpc-timeout", "1n"));
        hearThatWeLeave();
        assertThat(caller.channel().isOpen()).isTrue();
        caller.pass(1);
        assertThat(caller.channel().isOpen()).isFalse();
        assertThat(heard).containsExactly("cancelled", "cancelled");
    }

    @Test
    void so_it_does_when_that_is_left_unfinished() {
        var _ = caller.channel().pipeline().addLast(new Neglected(connection));
        caller.send(EmbeddedCaller.data(1, 0, EmbeddedCaller.message(5, 2)));
        caller.pass(14);
        assertThat(caller.channel().isOpen()).isTrue();
        caller.pass(1);
        assertThat(caller.channel().isOpen()).isFalse();
        assertThat(heard).singleElement().asString().startsWith("broken: the caller began the call");
    }

    @Test
    void a_frame_that_is_too_long_ends_the_connection_all_the_same() {
        caller.pass(2);
        caller.send(EmbeddedCaller.data(3, 0, Unpooled.buffer().writeZero(LARGEST_FRAME + 1)));
        assertThat(caller.channel().isOpen()).isFalse();
        assertThat(heard).containsExactly("cancelled");
    }
}
