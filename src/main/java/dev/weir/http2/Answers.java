package dev.weir.http2;

import dev.weir.call.Outcome;
import dev.weir.http2.bound.Unread;
import dev.weir.http2.header.HeaderWriter;
import dev.weir.http2.header.HeaderWriter.Block;
import dev.weir.http2.header.StatusMessage;
import dev.weir.http2.message.Gzip;
import dev.weir.http2.opening.RefusedException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/** Writes answers as frames: headers, messages, trailers. */
final class Answers {
    private static final AsciiString OK = AsciiString.cached("200");
    private static final AsciiString GRPC = AsciiString.cached("application/grpc");
    private static final AsciiString TEXT = AsciiString.cached("text/plain; charset=utf-8");
    private static final AsciiString STATUS = AsciiString.cached("grpc-status");
    private static final AsciiString MESSAGE = AsciiString.cached("grpc-message");
    private static final AsciiString ACCEPT_ENCODING = AsciiString.cached("grpc-accept-encoding");
    private static final AsciiString GZIP = AsciiString.cached(Gzip.NAME);
    private static final AsciiString POST = AsciiString.cached("POST");

    private static final Http2Headers HEADERS =
            ReadOnlyHttp2Headers.serverHeaders(false, OK, HttpHeaderNames.CONTENT_TYPE, GRPC, ACCEPT_ENCODING, GZIP);
    private static final Http2Headers WELL = ReadOnlyHttp2Headers.trailers(false, STATUS, AsciiString.cached("0"));

    private static final Http2Flags BEGIN = new Http2Flags().endOfHeaders(true);
    private static final Http2Flags GO_ON = new Http2Flags();
    private static final Http2Flags END = new Http2Flags().endOfHeaders(true).endOfStream(true);

    private static final int PREFIX_BYTES = 5;

    /** Only failures with short messages are remembered: under overload all say the same, while long ones repeat the caller and differ. */
    private static final int LONGEST_REMEMBERED = 120;

    /** About what the three frames of an answer are beside its message. */
    private static final int FRAMES_BYTES = 256;

    private final ChannelHandlerContext context;
    private final HeaderWriter encoder;
    private final Gathering gathering;
    private final Unread unread;
    private final Runnable tooMany;
    private final Block begin = new Block(HEADERS);
    private final Block well = new Block(WELL);
    private @Nullable Outcome lastFailure;
    private @Nullable Block lastTrailers;

    /**
     * Creates a writer.
     *
     * @param unread bounds what waits for room in the caller's windows
     * @param tooMany is run where that is too much: ends the connection
     */
    Answers(ChannelHandlerContext context, HeaderWriter encoder, Gathering gathering, Unread unread, Runnable tooMany) {
        this.context = context;
        this.encoder = encoder;
        this.gathering = gathering;
        this.unread = unread;
        this.tooMany = tooMany;
    }

    /**
     * Writes a whole answer in one piece, if nothing is in its way. Nearly every answer goes this way: through Netty's encoder
     * and its queue for each stream it is four buffers and as many promises, which cost more than the decision. The frames, the
     * header blocks and the windows are Netty's all the same.
     *
     * @param message null if there is none
     * @return whether it was written; if so, its stream remains to be closed on our side
     * @throws Http2Exception if a header block could not be made, which leaves the connection of no use
     */
    boolean whole(Http2Stream stream, byte @Nullable [] message, Outcome outcome) throws Http2Exception {
        int dataBytes = message == null ? 0 : PREFIX_BYTES + message.length;
        if (!hasRoom(stream, dataBytes)) {
            return false;
        }
        Block trailers = message == null ? failure(outcome) : ended(outcome);
        ByteBuf out = gathering.room(FRAMES_BYTES + dataBytes + sizeOf(outcome));
        if (out == null) {
            return false;
        }
        if (message != null) {
            encoder.write(out, stream.id(), begin, BEGIN);
            data(out, stream.id(), message);
        }
        encoder.write(out, stream.id(), trailers, END);
        return true;
    }

    /** Ends a call that has no stream, with nothing but how it ended; returns false, and writes nothing, if something is in its way. */
    boolean alone(int streamId, Outcome outcome) throws Http2Exception {
        ByteBuf out = gathering.room(FRAMES_BYTES + sizeOf(outcome));
        if (out == null) {
            return false;
        }
        encoder.write(out, streamId, failure(outcome), END);
        return true;
    }

    /** It needs room in both windows. One of another stream may go before one that waits for the end of this round. */
    private boolean hasRoom(Http2Stream stream, int dataBytes) {
        Http2RemoteFlowController flow = encoder.flowController();
        return !flow.hasFlowControlled(stream)
                && (dataBytes == 0 || flow.isWritable(stream))
                && flow.windowSize(stream) >= dataBytes
                && flow.windowSize(encoder.connection().connectionStream()) >= dataBytes;
    }

    private void data(ByteBuf out, int streamId, byte[] message) throws Http2Exception {
        int bytes = PREFIX_BYTES + message.length;
        Http2CodecUtil.writeFrameHeader(out, bytes, Http2FrameTypes.DATA, GO_ON, streamId);
        out.writeByte(0).writeInt(message.length).writeBytes(message);
        encoder.flowController().incrementWindowSize(encoder.connection().connectionStream(), -bytes);
    }

    /** A character becomes nine of a header's at most, and HPACK makes nothing longer. */
    private static int sizeOf(Outcome outcome) {
        return outcome.message() == null ? 0 : 12 * outcome.message().length();
    }

    void headers(int streamId) {
        var _ = encoder.writeHeaders(context, streamId, HEADERS, 0, false, context.newPromise());
    }

    ChannelFuture message(int streamId, byte[] message) {
        ByteBuf frame;
        try {
            frame = context.alloc().directBuffer(PREFIX_BYTES + message.length);
        } catch (OutOfMemoryError e) { // of buffers: the call ends, and with it what it holds
            var _ = encoder.writeRstStream(context, streamId, Http2Error.INTERNAL_ERROR.code(), context.newPromise());
            return context.newFailedFuture(e);
        }
        frame.writeByte(0).writeInt(message.length).writeBytes(message);
        return data(streamId, frame, false);
    }

    /** Netty keeps what has no room in the caller's windows. */
    private ChannelFuture data(int streamId, ByteBuf frame, boolean isLast) {
        int bytes = frame.readableBytes();
        Http2Stream stream = encoder.connection().stream(streamId);
        boolean hasRoom = stream != null && hasRoom(stream, unread.bytes() + bytes);
        if (!unread.take(bytes, hasRoom)) {
            frame.release();
            tooMany.run();
            return context.newFailedFuture(new ClosedChannelException());
        }
        return encoder.writeData(context, streamId, frame, 0, isLast, context.newPromise())
                .addListener(_ -> unread.giveBack(bytes));
    }

    /** What had room may have none any more: the caller has changed its settings. */
    void roomChanged() {
        if (!unread.count()) {
            tooMany.run();
        }
    }

    /**
     * Ends a stream.
     *
     * @param isBegun whether its headers were sent
     */
    ChannelFuture end(int streamId, Outcome outcome, boolean isBegun) {
        Block trailers = isBegun ? ended(outcome) : failure(outcome);
        return encoder.writeHeaders(context, streamId, trailers.headers(), 0, true, context.newPromise());
    }

    private Block ended(Outcome outcome) {
        return outcome.equals(Outcome.OK) ? well : trailers(outcome, true);
    }

    /** Under overload one failure follows the other, and all are the same. */
    private Block failure(Outcome outcome) {
        Block trailers = lastTrailers;
        if (trailers == null || !outcome.equals(lastFailure)) {
            trailers = trailers(outcome, false);
            boolean isShort = outcome.message() == null || outcome.message().length() <= LONGEST_REMEMBERED;
            lastFailure = isShort ? outcome : null;
            lastTrailers = isShort ? trailers : null;
        }
        return trailers;
    }

    private static Block trailers(Outcome outcome, boolean isBegun) {
        var trailers = new DefaultHttp2Headers(false);
        if (!isBegun) {
            trailers.status(OK).set(HttpHeaderNames.CONTENT_TYPE, GRPC);
        }
        if (outcome.code() == Outcome.UNIMPLEMENTED) {
            trailers.set(ACCEPT_ENCODING, GZIP);
        }
        return new Block(status(trailers, outcome));
    }

    private static Http2Headers status(Http2Headers headers, Outcome outcome) {
        headers.set(STATUS, Integer.toString(outcome.code()));
        if (outcome.message() != null) {
            headers.set(MESSAGE, StatusMessage.encode(outcome.message()));
        }
        return headers;
    }

    /** Answers a request that is refused for its headers. */
    ChannelFuture refuse(int streamId, RefusedException mistake) {
        String httpStatus = mistake.httpStatus();
        if (httpStatus == null) {
            return end(streamId, mistake.outcome(), false);
        }
        var headers = new DefaultHttp2Headers(false).status(httpStatus).set(HttpHeaderNames.CONTENT_TYPE, TEXT);
        if (httpStatus.equals("405")) {
            headers.set(HttpHeaderNames.ALLOW, POST);
        }
        var _ = encoder.writeHeaders(
                context, streamId, status(headers, mistake.outcome()), 0, false, context.newPromise());
        ByteBuf text = ByteBufUtil.writeUtf8(
                context.alloc(), String.valueOf(mistake.outcome().message()));
        return data(streamId, text, true);
    }
}
