package dev.weir.warmup;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The frames that a gRPC caller of one method sends (RFC 9113, RFC 7541). The first request of a connection writes its
 * headers out and puts them into the table of the other side; all later ones point there.
 */
final class Frames {
    static final int HEAD_BYTES = 9;
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;

    static final int END_STREAM = 1;
    static final int ACK = 1;
    private static final int END_HEADERS = 4;

    private static final int STREAM_ID_AT = 5;
    private static final int MOST_MORE_WINDOW = Integer.MAX_VALUE - 65_535;

    /**
     * How large a table it wants of the other side. The first request says so, and need not learn then what the other side would
     * allow, which is no less.
     */
    private static final int TABLE_BYTES = 512;

    private final byte[] firstHead;
    private final byte[] nextHead;

    /**
     * Creates the frames.
     *
     * @param authority who is asked, {@code host:port}
     * @param path of the method
     */
    Frames(String authority, String path) {
        var headers = new DefaultHttp2Headers()
                .method("POST")
                .scheme("http")
                .path(path)
                .authority(authority)
                .add("content-type", "application/grpc")
                .add("te", "trailers")
                .add("grpc-timeout", "1S");
        var encoder = new DefaultHttp2HeadersEncoder();
        try {
            encoder.maxHeaderTableSize(TABLE_BYTES);
            firstHead = head(encoder, headers);
            nextHead = head(encoder, headers);
        } catch (Http2Exception e) {
            throw new IllegalStateException("a handful of short headers can always be encoded", e);
        }
    }

    private static byte[] head(DefaultHttp2HeadersEncoder encoder, Http2Headers headers) throws Http2Exception {
        var block = Unpooled.buffer();
        encoder.encodeHeaders(1, headers, block);
        return frame(HEADERS, END_HEADERS, ByteBufUtil.getBytes(block));
    }

    /** Returns what a connection begins with; it leaves the other side all the room for answers that there can be. */
    static byte[] hello() {
        byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        byte[] settings = frame(SETTINGS, 0);
        byte[] window = frame(
                WINDOW_UPDATE,
                0,
                ByteBuffer.allocate(Integer.BYTES).putInt(MOST_MORE_WINDOW).array());
        return ByteBuffer.allocate(preface.length + settings.length + window.length)
                .put(preface)
                .put(settings)
                .put(window)
                .array();
    }

    /** Returns a frame of the whole connection. */
    static byte[] frame(int type, int flags, byte... payload) {
        return ByteBuffer.allocate(HEAD_BYTES + payload.length)
                .put((byte) (payload.length >>> 16))
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(0)
                .put(payload)
                .array();
    }

    /** Returns the frame that carries a message of gRPC and ends its side of a stream, for {@link #request}. */
    static byte[] data(byte[] message) {
        byte[] payload = ByteBuffer.allocate(1 + Integer.BYTES + message.length)
                .put((byte) 0)
                .putInt(message.length)
                .put(message)
                .array();
        return frame(DATA, END_STREAM, payload);
    }

    /** Appends a request to {@code out}, with the frame of its message. */
    void request(ByteArrayOutputStream out, int streamId, byte[] data) {
        append(out, streamId == 1 ? firstHead : nextHead, streamId);
        append(out, data, streamId);
    }

    private static void append(ByteArrayOutputStream out, byte[] frame, int streamId) {
        out.write(frame, 0, STREAM_ID_AT);
        for (int shift = 24; shift >= 0; shift -= 8) {
            out.write(streamId >>> shift);
        }
        out.write(frame, HEAD_BYTES, frame.length - HEAD_BYTES);
    }
}
