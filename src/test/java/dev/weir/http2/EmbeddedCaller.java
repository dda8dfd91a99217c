package dev.weir.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.Calls;
import dev.weir.call.Gate;
import dev.weir.call.Patience;
import dev.weir.http2.bound.Budgets;
import dev.weir.http2.bound.OpenCalls;
import dev.weir.http2.message.Budget;
import dev.weir.http2.opening.Methods;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A connection without a socket and the caller on its other end, who writes frames by hand; its clock stands still. */
final class EmbeddedCaller implements AutoCloseable {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int GO_AWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;
    static final int END_STREAM = 1;
    static final int ACK = 1;
    static final int END_HEADERS = 4;
    static final int HEADER_TABLE_SIZE = 1;
    static final int INITIAL_WINDOW_SIZE = 4;
    static final int MAX_HEADER_LIST_SIZE = 6;

    private static final int REST_OF_HEAD_BYTES = 5;
    private static final long PATIENCE_NANOS = 1_000_000_000;
    private static final int MANY_CALLS = 10_000;
    private static final long UNREAD_BYTES = 32 << 20;

    private final UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();

    EmbeddedCaller() {
        channel.freezeTime();
        var _ = channel.config().setAllocator(buffers);
    }

    /** Returns room for all that sockets do not take. */
    static Budget unsent() {
        return new Budget(UNREAD_BYTES);
    }

    /** Connects this caller, whose calls are all answered by the same. */
    Connection connect(Calls calls, Budget unfinished) {
        return connect(methods(calls, 100_000), unfinished);
    }

    Connection connect(Methods methods, Budget unfinished) {
        return connect(methods, budgets(unfinished, new Budget(UNREAD_BYTES), new Budget(UNREAD_BYTES)));
    }

    Connection connect(Methods methods, Budgets budgets) {
        var gathering = new Gathering(budgets.unsent());
        var connection = connection(methods, budgets, gathering);
        var _ = channel.pipeline().addLast(gathering, connection);
        return connection;
    }

    /** Returns what answers every call by the same, where none is followed and nobody is told of those that are refused. */
    static Methods methods(Calls calls, int maxMessageBytes) {
        return new Methods(Map.of(), calls, maxMessageBytes, null, _ -> {});
    }

    /** Returns a connection that answers in one piece where it can, if the gathering stands before it. */
    static Connection connection(Methods methods, Budget budget, Gathering gathering) {
        return connection(methods, budgets(budget, new Budget(UNREAD_BYTES), new Budget(UNREAD_BYTES)), gathering);
    }

    /** Returns budgets with room for many calls and for all that sockets do not take. */
    static Budgets budgets(Budget unfinished, Budget unread, Budget tables) {
        return new Budgets(unfinished, unread, unsent(), tables, new OpenCalls(MANY_CALLS, MANY_CALLS));
    }

    static Connection connection(Methods methods, Budgets budgets, Gathering gathering) {
        var gate = new Gate(Runnable::run, System::nanoTime, new Patience(PATIENCE_NANOS, () -> 0));
        return new ConnectionBuilder(methods, budgets, gate, gathering, () -> {}).next();
    }

    EmbeddedChannel channel() {
        return channel;
    }

    /** Says hello, with settings as pairs of identifier and value. */
    void greet(int... settings) {
        channel.writeInbound(Unpooled.wrappedBuffer(Http2CodecUtil.connectionPrefaceBuf(), settings(settings)));
    }

    /** Acknowledges our settings, and holds to them. */
    void acknowledge() {
        try {
            encoder.maxHeaderTableSize(ConnectionBuilder.TABLE_BYTES);
        } catch (Http2Exception e) {
            throw new IllegalStateException(e);
        }
        send(frame(SETTINGS, ACK, 0, Unpooled.EMPTY_BUFFER));
    }

    /** Returns settings, as pairs of identifier and value. */
    static ByteBuf settings(int... settings) {
        ByteBuf payload = Unpooled.buffer();
        for (int i = 0; i < settings.length; i += 2) {
            payload.writeShort(settings[i]).writeInt(settings[i + 1]);
        }
        return frame(SETTINGS, 0, 0, payload);
    }

    /** Sends frames so that they are read at one go. */
    void send(ByteBuf... frames) {
        channel.writeInbound(Unpooled.wrappedBuffer(frames));
        channel.runPendingTasks();
    }

    ByteBuf headers(int stream, int flags, String... more) {
        var headers = new DefaultHttp2Headers()
                .method("POST")
                .scheme("http")
                .path("/any")
                .set("content-type", "application/grpc");
        for (int i = 0; i < more.length; i += 2) {
            headers.set(more[i], more[i + 1]);
        }
        return headers(stream, flags, headers);
    }

    ByteBuf headers(int stream, int flags, Http2Headers headers) {
        ByteBuf block = Unpooled.buffer();
        try {
            encoder.encodeHeaders(stream, headers, block);
        } catch (Http2Exception e) {
            throw new IllegalStateException(e);
        }
        return frame(HEADERS, flags | END_HEADERS, stream, block);
    }

    /** Returns headers as the bytes that HPACK makes of them. */
    static ByteBuf block(int stream, int flags, String hex) {
        return frame(HEADERS, flags | END_HEADERS, stream, Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex)));
    }

    /** Returns the same headers in a frame that does not end them and one that does. */
    static ByteBuf inTwo(ByteBuf headers) {
        int stream = headers.getInt(REST_OF_HEAD_BYTES);
        int bytes = headers.getUnsignedMedium(0);
        int head = headers.readableBytes() - bytes;
        return Unpooled.wrappedBuffer(
                frame(HEADERS, 0, stream, headers.slice(head, 1)),
                frame(CONTINUATION, END_HEADERS, stream, headers.slice(head + 1, bytes - 1)));
    }

    static ByteBuf data(int stream, int flags, ByteBuf... bytes) {
        return frame(DATA, flags, stream, Unpooled.wrappedBuffer(bytes));
    }

    static ByteBuf number(int type, int stream, int number) {
        return frame(type, 0, stream, Unpooled.buffer().writeInt(number));
    }

    /** Returns the beginning of a message, or all of it. */
    static ByteBuf message(int length, int bytes) {
        return Unpooled.buffer().writeByte(0).writeInt(length).writeZero(bytes);
    }

    static ByteBuf frame(int type, int flags, int stream, ByteBuf payload) {
        return Unpooled.buffer()
                .writeMedium(payload.readableBytes())
                .writeByte(type)
                .writeByte(flags)
                .writeInt(stream)
                .writeBytes(payload);
    }

    /** Lets the clock go on, second by second. */
    void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            channel.advanceTimeBy(1, TimeUnit.SECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    /** Returns all bytes that came since anything was asked last. */
    ByteBuf came() {
        ByteBuf sent = Unpooled.buffer();
        for (ByteBuf piece = channel.readOutbound(); piece != null; piece = channel.readOutbound()) {
            sent.writeBytes(piece);
            piece.release();
        }
        return sent;
    }

    /** Returns what frames of a type said that came since anything was asked last; the others are gone. */
    List<String> came(int type) {
        ByteBuf sent = came();
        var texts = new ArrayList<String>();
        while (sent.isReadable()) {
            int length = sent.readUnsignedMedium();
            boolean isAskedFor = sent.readByte() == type;
            sent.skipBytes(REST_OF_HEAD_BYTES);
            String text = sent.readString(length, StandardCharsets.ISO_8859_1);
            if (isAskedFor) {
                texts.add(text);
            }
        }
        return texts;
    }

    /** Returns how many bytes of buffers the connection holds. */
    long heldBytes() {
        return buffers.metric().usedDirectMemory() + buffers.metric().usedHeapMemory();
    }

    /** Leaves without a word, and sees that every buffer was given back. */
    @Override
    public void close() {
        channel.unsafe().close(channel.voidPromise());
        var _ = channel.finishAndReleaseAll();
        assertThat(heldBytes()).as("bytes not given back").isZero();
    }
}
