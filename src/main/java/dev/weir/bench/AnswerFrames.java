package dev.weir.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2FrameReader;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.AsciiString;
import io.netty.util.internal.StringUtil;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes answers of frames, checked just enough: the message begins with an overall code and the trailers say
 * {@code grpc-status: 0}.
 */
final class AnswerFrames extends Http2FrameAdapter {
    /**
     * What the frames of a stream have said so far, as a byte: from 0 how many bytes of a message's beginning have come, and
     * below that what they said, once they have.
     */
    static final byte NOTHING = 0;

    static final byte OK = -1;
    static final byte OVER_LIMIT = -2;
    private static final byte NO_VERDICT = -3;

    private static final AsciiString OK_OF_HTTP = AsciiString.cached("200");
    private static final AsciiString STATUS = AsciiString.cached("grpc-status");
    private static final AsciiString MESSAGE = AsciiString.cached("grpc-message");

    /** Five bytes of gRPC stand before the message, whose first field is the overall code: its tag, then its value. */
    private static final int TAG_AT = 5;

    private static final int CODE_AT = TAG_AT + 1;
    private static final byte OVERALL_CODE = 1 << 3;

    private static final int NO_BYTE = -1;
    private static final String HTTP_1 = "HTTP/1.";

    /** Takes what the frames say. */
    interface Receiver {
        void settings(ChannelHandlerContext context, Http2Settings settings);

        void ping(ChannelHandlerContext context, long content);

        void windowGrown(int bytes);

        /** A part of an answer's message has come, which {@link #said} reads; {@code bytes} of the windows it took. */
        void message(ChannelHandlerContext context, int streamId, ByteBuf part, int bytes);

        /** A stream has ended: well if {@code failure} is null. */
        void ended(int streamId, @Nullable Failure failure);

        /**
         * The service takes no further requests on this connection, nor those of streams after {@code lastTaken}; because of
         * an {@code error}, if there is one.
         */
        void leaving(ChannelHandlerContext context, int lastTaken, @Nullable Failure error);
    }

    private final Receiver receiver;
    private final Http2FrameReader reader = new DefaultHttp2FrameReader(new RememberedHeaders());
    private boolean hasBegun;

    // RememberedHeaders gives one and the same object for headers that come again: what they say is read once.
    private @Nullable Http2Headers wellOpening;
    private @Nullable Http2Headers wellTrailers;
    private @Nullable Http2Headers failedTrailers;
    private @Nullable Failure failure;

    AnswerFrames(Receiver receiver) {
        this.receiver = receiver;
    }

    /** Reads a frame, if it is there as a whole. */
    void read(ChannelHandlerContext context, ByteBuf in) throws Http2Exception {
        if (!hasBegun && in.readableBytes() >= Http2CodecUtil.FRAME_HEADER_LENGTH) {
            hasBegun = true;
            if (in.toString(in.readerIndex(), HTTP_1.length(), US_ASCII).equals(HTTP_1)) {
                throw Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, "it answers in HTTP/1");
            }
        }
        reader.readFrame(context, in, this);
    }

    @Override
    public int onDataRead(ChannelHandlerContext context, int streamId, ByteBuf data, int padding, boolean isLast) {
        int bytes = data.readableBytes() + padding;
        receiver.message(context, streamId, data, bytes);
        if (isLast) {
            receiver.ended(streamId, Failure.broken("an answer without trailers"));
        }
        return bytes;
    }

    /**
     * Returns what a stream has said after another part of its message. A service may cut it into frames where it likes, and
     * send empty ones.
     *
     * @param before what it had said so far
     */
    static byte said(byte before, ByteBuf part) {
        int at = part.readerIndex();
        if (before == NOTHING && part.readableBytes() > CODE_AT) { // as nearly always
            return part.getByte(at + TAG_AT) == OVERALL_CODE ? verdict(part.getByte(at + CODE_AT)) : NO_VERDICT;
        }
        byte came = before;
        for (; at < part.writerIndex() && came >= NOTHING; at++) {
            if (came < TAG_AT) {
                came++;
            } else if (came < CODE_AT) {
                came = part.getByte(at) == OVERALL_CODE ? CODE_AT : NO_VERDICT;
            } else {
                came = verdict(part.getByte(at));
            }
        }
        return came;
    }

    /** Of the overall codes of a {@code RateLimitResponse}. */
    private static byte verdict(byte code) {
        return switch (code) {
            case 1 -> OK;
            case 2 -> OVER_LIMIT;
            default -> NO_VERDICT;
        };
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext context, int streamId, Http2Headers headers, int padding, boolean isLast) {
        if (isLast) {
            receiver.ended(streamId, failure(headers));
        } else if (!isWell(headers)) {
            receiver.ended(streamId, Failure.broken("an answer of HTTP with status " + headers.status()));
        }
    }

    /** An answer of gRPC begins with a status of 200, and others of 1xx may come before. */
    @SuppressWarnings("ReferenceEquality") // as of trailers
    private boolean isWell(Http2Headers opening) {
        if (opening == wellOpening) {
            return true;
        }
        CharSequence status = opening.status();
        boolean isWell = status == null
                || OK_OF_HTTP.contentEquals(status)
                || status.toString().startsWith("1");
        if (isWell) {
            wellOpening = opening;
        }
        return isWell;
    }

    @SuppressWarnings("ReferenceEquality") // to compare what they say would cost as much as to read it
    private @Nullable Failure failure(Http2Headers trailers) {
        if (trailers == wellTrailers) {
            return null;
        }
        if (trailers != failedTrailers) {
            Failure told = read(trailers);
            if (told == null) {
                wellTrailers = trailers;
                return null;
            }
            failedTrailers = trailers;
            failure = told;
        }
        return failure;
    }

    private static @Nullable Failure read(Http2Headers headers) {
        CharSequence status = headers.get(STATUS);
        if (status == null) {
            return Failure.broken("an answer without a gRPC status; that of HTTP is " + headers.status());
        }
        boolean isWell = status.length() == 1 && status.charAt(0) == '0';
        return isWell ? null : Failure.status(status.toString(), text(headers.get(MESSAGE)));
    }

    /** Returns what is said in gRPC's percent-encoding; a percent sign without two digits behind it is itself. */
    private static String text(@Nullable CharSequence message) {
        if (message == null) {
            return "";
        }
        var bytes = new ByteArrayOutputStream(message.length());
        for (int i = 0; i < message.length(); i++) {
            int encoded = message.charAt(i) == '%' ? hexByte(message, i + 1) : NO_BYTE;
            if (encoded == NO_BYTE) {
                bytes.write(message.charAt(i));
            } else {
                bytes.write(encoded);
                i += 2;
            }
        }
        return bytes.toString(UTF_8);
    }

    private static int hexByte(CharSequence text, int at) {
        if (at + 1 >= text.length()) {
            return NO_BYTE;
        }
        int high = StringUtil.decodeHexNibble(text.charAt(at));
        int low = StringUtil.decodeHexNibble(text.charAt(at + 1));
        return high < 0 || low < 0 ? NO_BYTE : high << 4 | low;
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext context,
            int streamId,
            Http2Headers headers,
            int dependency,
            short weight,
            boolean isExclusive,
            int padding,
            boolean isLast) {
        onHeadersRead(context, streamId, headers, padding, isLast);
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext context, int streamId, long code) {
        receiver.ended(streamId, Failure.reset(code));
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext context, Http2Settings settings) {
        receiver.settings(context, settings);
    }

    @Override
    public void onPingRead(ChannelHandlerContext context, long content) {
        receiver.ping(context, content);
    }

    @Override
    public void onWindowUpdateRead(ChannelHandlerContext context, int streamId, int bytes) {
        if (streamId == 0) {
            receiver.windowGrown(bytes);
        }
    }

    @Override
    public void onGoAwayRead(ChannelHandlerContext context, int lastStreamId, long code, ByteBuf text) {
        boolean isError = code != Http2Error.NO_ERROR.code();
        receiver.leaving(context, lastStreamId, isError ? Failure.dismissed(code, text.toString(UTF_8)) : null);
    }
}
