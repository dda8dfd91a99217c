package dev.weir.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2CodecUtil;

/** What the head of a frame says (RFC 9113, section 4.1). Each method takes where in the buffer the frame begins. */
final class FrameHead {
    /** How long a head is; the payload follows. */
    static final int BYTES = Http2CodecUtil.FRAME_HEADER_LENGTH;

    private static final int TYPE = 3;
    private static final int FLAGS = 4;
    private static final int STREAM_ID = 5;

    private FrameHead() {}

    /** Returns how long the payload is, 0 to 2^24 - 1 bytes. */
    static int payloadBytes(ByteBuf in, int frame) {
        return in.getUnsignedMedium(frame);
    }

    static byte type(ByteBuf in, int frame) {
        return in.getByte(frame + TYPE);
    }

    static byte flags(ByteBuf in, int frame) {
        return in.getByte(frame + FLAGS);
    }

    /** Returns both, the type in front. */
    static int typeAndFlags(ByteBuf in, int frame) {
        return in.getUnsignedShort(frame + TYPE);
    }

    /** Returns the stream, without the bit in front of it that means nothing. */
    static int streamId(ByteBuf in, int frame) {
        return in.getInt(frame + STREAM_ID) & Integer.MAX_VALUE;
    }
}
