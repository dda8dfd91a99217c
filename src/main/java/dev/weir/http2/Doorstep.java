package dev.weir.http2;

import dev.weir.call.Gate;
import dev.weir.call.Outcome;
import dev.weir.http2.opening.Opening;
import dev.weir.http2.opening.Openings;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameTypes;

/**
 * Turns calls away before a stream is opened for them. Past saturation these are most, and what they cost is taken from those who
 * are answered: to open and close a stream with all that hangs on it costs several times as much as to read two frames and
 * write one (decision 23).
 *
 * <p>It takes only what nearly all calls are: the headers that opened a call last, in one frame, and one whole message that ends
 * the call, all of it here. Whatever else comes is Netty's, and turned away, if at all, by its {@link Exchange}.
 *
 * <p>Netty learns of these streams before it sees another frame: one is opened and closed in the place of all, for the ones
 * before it count as closed then (RFC 9113, section 5.1.1).
 */
final class Doorstep {
    private static final int WHOLE_HEADERS = Http2FrameTypes.HEADERS << 8 | 0x4;
    private static final int LAST_DATA = Http2FrameTypes.DATA << 8 | 0x1;
    private static final int PREFIX_BYTES = 5;

    /** What the window of the connection may lack until a settlement gives it back. */
    private static final int MOST_HELD_BACK = ConnectionBuilder.WINDOW_BYTES / 16;

    private final Connection connection;
    private final Openings openings;
    private final Gate.Socket socket;
    private final int maxMessageBytes;
    private int unsettledStreamId;
    private int heldBack;

    Doorstep(Connection connection, Openings openings, Gate.Socket socket, int maxMessageBytes) {
        this.connection = connection;
        this.openings = openings;
        this.socket = socket;
        this.maxMessageBytes = maxMessageBytes;
    }

    /** Returns whether calls may be turned away now. */
    boolean mayBeShut() {
        return socket.mayBeShut();
    }

    /**
     * Turns a call away, if one begins here and more came than can be answered.
     *
     * @param in begins with a whole frame
     * @param next where the frame after it begins
     * @return whether a call was taken from {@code in} and answered; if not, Netty knows of all that were before
     * @throws Http2Exception if the connection is of no use any more
     */
    boolean turnsAway(ChannelHandlerContext context, ByteBuf in, int next) throws Http2Exception {
        if (socket.mayBeShut() && isCall(in, next) && isTurnedAway(in, next)) {
            int bytes = FrameHead.payloadBytes(in, next);
            heldBack += bytes;
            in.readerIndex(next + FrameHead.BYTES + bytes);
            return true;
        }
        settle(context);
        return false;
    }

    private boolean isCall(ByteBuf in, int next) {
        int prefix = next + FrameHead.BYTES;
        if (FrameHead.typeAndFlags(in, in.readerIndex()) != WHOLE_HEADERS
                || prefix + PREFIX_BYTES > in.writerIndex()
                || FrameHead.typeAndFlags(in, next) != LAST_DATA
                || FrameHead.streamId(in, next) != FrameHead.streamId(in, in.readerIndex())) {
            return false;
        }
        int bytes = FrameHead.payloadBytes(in, next);
        return bytes >= PREFIX_BYTES
                && prefix + bytes <= in.writerIndex()
                && bytes <= Http2CodecUtil.DEFAULT_MAX_FRAME_SIZE
                && bytes - PREFIX_BYTES <= maxMessageBytes
                && in.getByte(prefix) == 0
                && in.getInt(prefix + 1) == bytes - PREFIX_BYTES;
    }

    private boolean isTurnedAway(ByteBuf in, int next) throws Http2Exception {
        int streamId = FrameHead.streamId(in, in.readerIndex());
        Opening opening = mayOpen(streamId) ? openings.again(in, next) : null;
        if (opening == null
                || connection.isLate(opening)
                || !socket.isShut(opening.deadlineNanos(socket.cameNanos()))) {
            return false;
        }
        Outcome outcome = opening.calls().turnedAwayWith();
        if (outcome == null || !connection.answers().alone(streamId, outcome)) {
            return false;
        }
        socket.turnedAway();
        opening.calls().turnedAway();
        unsettledStreamId = streamId;
        return true;
    }

    private boolean mayOpen(int streamId) {
        var streams = connection.connection();
        return streams.remote().isValidStreamId(streamId)
                && streamId > Math.max(unsettledStreamId, streams.remote().lastStreamCreated())
                && streams.remote().numActiveStreams() < ConnectionBuilder.MAX_STREAMS
                && !streams.goAwaySent();
    }

    /**
     * Tells Netty of the streams that it has not seen, and gives the caller its window back.
     *
     * @throws Http2Exception if the connection is of no use any more
     */
    void settle(ChannelHandlerContext context) throws Http2Exception {
        if (unsettledStreamId == 0) {
            return;
        }
        int streamId = unsettledStreamId;
        unsettledStreamId = 0;
        connection.connection().remote().createStream(streamId, true).close();
        if (heldBack > MOST_HELD_BACK) {
            var _ = connection
                    .encoder()
                    .frameWriter()
                    .writeWindowUpdate(context, Http2CodecUtil.CONNECTION_STREAM_ID, heldBack, context.newPromise());
            heldBack = 0;
        }
    }
}
