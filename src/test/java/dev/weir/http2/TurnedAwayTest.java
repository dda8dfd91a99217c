package dev.weir.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.Calls;
import dev.weir.call.Gate;
import dev.weir.call.Head;
import dev.weir.call.Patience;
import dev.weir.call.Replies;
import dev.weir.http2.bound.Budgets;
import dev.weir.http2.opening.Methods;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Exception;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a connection does at its gate, frame by frame, on a thread that does only what it is told. */
final class TurnedAwayTest {
    private static final byte DATA = 0;
    private static final byte HEADERS = 1;
    private static final byte RST_STREAM = 3;
    private static final byte SETTINGS = 4;
    private static final byte END_STREAM = 1;
    private static final byte END_HEADERS = 4;
    private static final long PATIENCE_NANOS = 1_000_000_000_000L;

    private final List<String> heard = new ArrayList<>();
    private final List<Replies> unanswered = new ArrayList<>();
    private final Gate gate = new Gate(Runnable::run, System::nanoTime, new Patience(PATIENCE_NANOS, () -> 0));
    private final DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();
    private final Gathering gathering = new Gathering(EmbeddedCaller.unsent());
    private final EmbeddedChannel channel = new EmbeddedChannel(
            gathering,
            new ConnectionBuilder(
                            new Methods(Map.of("/gated", calls(true)), calls(false), 1_000, null, _ -> {}),
                            Budgets.of(1_000),
                            gate,
                            gathering,
                            () -> {})
                    .next());

    private Calls calls(boolean isGated) {
        return (head, replies) -> new GatedCall(head.path(), isGated, replies, heard, unanswered);
    }

    @BeforeEach
    void greetAndLetOneInside() {
        var greeting = Http2CodecUtil.connectionPrefaceBuf();
        channel.writeInbound(Unpooled.wrappedBuffer(greeting, frame(SETTINGS, 0, 0, Unpooled.EMPTY_BUFFER)));
        fill();
        gate.leave(System.nanoTime(), Head.NO_DEADLINE);
        gate.flushed();
        channel.releaseOutbound();
    }

    @AfterEach
    void end() {
        var _ = channel.finishAndReleaseAll();
    }

    private void fill() {
        while (gate.socket().enter(Head.NO_DEADLINE)) {
            assertThat(channel.isOpen()).isTrue();
        }
    }

    private static ByteBuf frame(byte type, int flags, int stream, ByteBuf payload) {
        return Unpooled.buffer()
                .writeMedium(payload.readableBytes())
                .writeByte(type)
                .writeByte(flags)
                .writeInt(stream)
                .writeBytes(payload);
    }

    private ByteBuf call(int stream, String path) throws Http2Exception {
        ByteBuf block = Unpooled.buffer();
        var headers = new DefaultHttp2Headers(false)
                .method("POST")
                .scheme("http")
                .path(path)
                .authority("weir")
                .set("content-type", "application/grpc");
        encoder.encodeHeaders(stream, headers, block);
        return Unpooled.wrappedBuffer(
                frame(HEADERS, END_HEADERS, stream, block),
                frame(DATA, END_STREAM, stream, Unpooled.buffer().writeByte(0).writeInt(0)));
    }

    @Test
    void a_call_too_many_is_turned_away_and_not_asked() throws Http2Exception {
        channel.writeInbound(call(1, "/gated"), call(3, "/gated"));
        assertThat(heard).containsExactly("asked /gated", "turned away");
        assertThat(statusesSent()).as("at the end of the round").isEqualTo(1);
    }

    @Test
    void the_next_one_is_asked_when_an_answer_is_on_its_way() throws Http2Exception {
        channel.writeInbound(call(1, "/gated"));
        unanswered.getFirst().answer(new byte[0]);
        channel.runPendingTasks();
        channel.writeInbound(call(3, "/gated"), call(5, "/gated"));
        assertThat(heard).containsExactly("asked /gated", "asked /gated", "turned away");
    }

    @Test
    void a_caller_who_gives_up_makes_room() throws Http2Exception {
        channel.writeInbound(call(1, "/gated"));
        channel.writeInbound(
                frame(RST_STREAM, 0, 1, Unpooled.buffer().writeInt(8)), call(3, "/gated"), call(5, "/gated"));
        assertThat(heard).containsExactly("asked /gated", "cancelled", "turned away", "turned away");
        channel.writeInbound(call(7, "/gated"), call(9, "/gated"));
        assertThat(heard.subList(4, 6))
                .as("from the end of the round on")
                .containsExactly("asked /gated", "turned away");
    }

    @Test
    void a_connection_that_ends_takes_none_of_its_calls_along() throws Http2Exception {
        channel.writeInbound(call(1, "/gated"));
        assertThat(gate.socket().enter(Head.NO_DEADLINE)).isFalse();
        var _ = channel.pipeline().fireChannelInactive();
        assertThat(heard).contains("cancelled");
        assertThat(gate.socket().enter(Head.NO_DEADLINE)).isTrue();
    }

    @Test
    void what_is_not_gated_is_always_asked() throws Http2Exception {
        channel.writeInbound(call(1, "/gated"), call(3, "/other"), call(5, "/other"), call(7, "/gated"));
        assertThat(heard).containsExactly("asked /gated", "asked /other", "asked /other", "turned away");
    }

    /** Counts frames that end a stream by headers alone. */
    private int statusesSent() {
        int statuses = 0;
        for (ByteBuf sent = channel.readOutbound(); sent != null; sent = channel.readOutbound()) {
            while (sent.isReadable()) {
                int length = sent.readUnsignedMedium();
                byte type = sent.readByte();
                byte flags = sent.readByte();
                sent.skipBytes(Integer.BYTES + length);
                statuses += type == HEADERS && (flags & END_STREAM) != 0 ? 1 : 0;
            }
            sent.release();
        }
        return statuses;
    }
}
