package dev.weir.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The service's end of a connection, as frames of HTTP/2 that a test writes and reads. */
final class FramedService implements AutoCloseable {
    private static final int PREFACE_BYTES = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII).length;
    private static final int HEAD_BYTES = 9;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int GO_AWAY = 7;
    private static final int END_HEADERS = 4;
    private static final int END_STREAM_AND_HEADERS = 5;

    private final EmbeddedChannel channel;

    FramedService(Connection connection) {
        channel = new EmbeddedChannel(connection);
    }

    private void frame(int type, int flags, int streamId, ByteBuf payload) {
        var head = Unpooled.buffer()
                .writeMedium(payload.readableBytes())
                .writeByte(type)
                .writeByte(flags)
                .writeInt(streamId);
        channel.writeInbound(Unpooled.wrappedBuffer(head, payload));
    }

    void settings(int name, int value) {
        frame(SETTINGS, 0, 0, Unpooled.buffer().writeShort(name).writeInt(value));
    }

    void data(int streamId, int... bytes) {
        var payload = Unpooled.buffer();
        for (int next : bytes) {
            payload.writeByte(next);
        }
        frame(DATA, 0, streamId, payload);
    }

    /** Says what may be no frame, or a piece of one. */
    void text(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, US_ASCII));
    }

    /** Ends a stream well. */
    void trailers(int streamId) {
        frame(HEADERS, END_STREAM_AND_HEADERS, streamId, field("grpc-status", "0"));
    }

    /** Begins an answer, of which more is to come. */
    void status(int streamId, int code) {
        frame(HEADERS, END_HEADERS, streamId, field(":status", Integer.toString(code)));
    }

    private static ByteBuf field(String name, String value) {
        var block = Unpooled.buffer().writeByte(0); // as text, whether or not a table knows it
        text(block, name);
        text(block, value);
        return block;
    }

    private static void text(ByteBuf block, String text) {
        block.writeByte(text.length()).writeCharSequence(text, US_ASCII);
    }

    /** Lets a request pass. */
    void answer(int streamId) {
        data(streamId, 0, 0, 0, 0, 2, 1 << 3, 1);
        trailers(streamId);
    }

    void goAway(int lastStreamId) {
        goAway(lastStreamId, 0, "");
    }

    void goAway(int lastStreamId, int code, String words) {
        var payload = Unpooled.buffer().writeInt(lastStreamId).writeInt(code);
        payload.writeCharSequence(words, US_ASCII);
        frame(GO_AWAY, 0, 0, payload);
    }

    /** Lets the connection break, as where a write fails; returns what it was. */
    ChannelHandlerContext breaks() {
        var connection = channel.pipeline().firstContext();
        channel.pipeline().fireExceptionCaught(new IOException("Connection reset by peer"));
        return connection;
    }

    /** Lets this much time pass for the connection. */
    void pass(Duration time) {
        channel.freezeTime();
        channel.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    boolean isConnected() {
        return channel.isOpen();
    }

    /** Returns the streams of the requests that came since the last time. */
    List<Integer> requests() {
        ByteBuf sent = Unpooled.buffer();
        for (ByteBuf piece = channel.readOutbound(); piece != null; piece = channel.readOutbound()) {
            sent.writeBytes(piece);
            piece.release();
        }
        if (sent.isReadable() && sent.getByte(0) == 'P') {
            sent.skipBytes(PREFACE_BYTES);
        }
        var streams = new ArrayList<Integer>();
        while (sent.isReadable()) {
            int at = sent.readerIndex();
            if (sent.getByte(at + 3) == HEADERS) {
                streams.add(sent.getInt(at + 5));
            }
            sent.skipBytes(HEAD_BYTES + sent.getUnsignedMedium(at));
        }
        return streams;
    }

    /** Closes the connection. */
    @Override
    public void close() {
        var _ = channel.finishAndReleaseAll();
    }
}
