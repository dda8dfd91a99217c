package dev.weir.http2;

import dev.weir.call.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
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

    private static final int PREFIX_BYTES = 5;

    private final ChannelHandlerContext context;
    private final Http2ConnectionEncoder encoder;
    private @Nullable Outcome lastFailure;
    private @Nullable Http2Headers lastTrailers;

    Answers(ChannelHandlerContext context, Http2ConnectionEncoder encoder) {
        this.context = context;
        this.encoder = encoder;
    }

    void headers(int streamId) {
        var _ = encoder.writeHeaders(context, streamId, HEADERS, 0, false, context.newPromise());
    }

    ChannelFuture message(int streamId, byte[] message) {
        ByteBuf frame = context.alloc().directBuffer(PREFIX_BYTES + message.length);
        frame.writeByte(0).writeInt(message.length).writeBytes(message);
        return encoder.writeData(context, streamId, frame, 0, false, context.newPromise());
    }

    /**
     * Ends a stream.
     *
     * @param isBegun whether its headers were sent
     */
    ChannelFuture end(int streamId, Outcome outcome, boolean isBegun) {
        Http2Headers trailers =
                !isBegun ? failure(outcome) : outcome.equals(Outcome.OK) ? WELL : trailers(outcome, true);
        return encoder.writeHeaders(context, streamId, trailers, 0, true, context.newPromise());
    }

    /** Under overload one failure follows the other, and all are the same. */
    private Http2Headers failure(Outcome outcome) {
        Http2Headers trailers = lastTrailers;
        if (trailers == null || !outcome.equals(lastFailure)) {
            trailers = trailers(outcome, false);
            lastFailure = outcome;
            lastTrailers = trailers;
        }
        return trailers;
    }

    private static Http2Headers trailers(Outcome outcome, boolean isBegun) {
        var trailers = new DefaultHttp2Headers(false);
        if (!isBegun) {
            trailers.status(OK).set(HttpHeaderNames.CONTENT_TYPE, GRPC);
        }
        if (outcome.code() == Outcome.UNIMPLEMENTED) {
            trailers.set(ACCEPT_ENCODING, GZIP);
        }
        return status(trailers, outcome);
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
        ByteBuf text = ByteBufUtil.writeUtf8(context.alloc(), String.valueOf(mistake.getMessage()));
        return encoder.writeData(context, streamId, text, 0, true, context.newPromise());
    }
}
