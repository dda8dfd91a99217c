package dev.weir.warmup;

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

    // Entries of the static table of RFC 7541, Appendix A.
    private static final int AUTHORITY = 1;
    private static final int METHOD_POST = 3;
    private static final int PATH = 4;
    private static final int SCHEME_HTTP = 6;
    private static final int CONTENT_TYPE = 31;
    private static final int FIRST_REMEMBERED = 62;
    private static final int REMEMBERED = 5;

    private static final int INDEXED = 0x80;
    private static final int LITERAL_TO_REMEMBER = 0x40;

    /** Makes the table 512 bytes large. Who says so first need not follow what the other side allows, which is no less. */
    private static final byte[] TABLE_SIZE = {0x3f, (byte) 0xe1, 0x03};

    private static final int LONGEST_TEXT = 126;

    private final byte[] firstHead;
    private final byte[] nextHead;

    /**
     * Creates the frames.
     *
     * @param authority who is asked, {@code host:port}
     * @param path of the method
     */
    Frames(String authority, String path) {
        var block = new ByteArrayOutputStream();
        block.writeBytes(TABLE_SIZE);
        block.write(INDEXED | METHOD_POST);
        block.write(INDEXED | SCHEME_HTTP);
        literal(block, PATH, path);
        literal(block, AUTHORITY, authority);
        literal(block, CONTENT_TYPE, "application/grpc");
        literal(block, 0, "te", "trailers");
        literal(block, 0, "grpc-timeout", "1S");
        firstHead = frame(HEADERS, END_HEADERS, block.toByteArray());
        block.reset();
        block.write(INDEXED | METHOD_POST);
        block.write(INDEXED | SCHEME_HTTP);
        for (int i = REMEMBERED - 1; i >= 0; i--) { // the last one that was remembered has the lowest number
            block.write(INDEXED | FIRST_REMEMBERED + i);
        }
        nextHead = frame(HEADERS, END_HEADERS, block.toByteArray());
    }

    private static void literal(ByteArrayOutputStream block, int name, String... texts) {
        block.write(LITERAL_TO_REMEMBER | name);
        for (String text : texts) {
            byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
            if (bytes.length > LONGEST_TEXT) {
                throw new IllegalArgumentException("longer than " + LONGEST_TEXT + " bytes: " + text);
            }
            block.write(bytes.length);
            block.writeBytes(bytes);
        }
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
