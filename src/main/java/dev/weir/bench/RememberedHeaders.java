package dev.weir.bench;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersDecoder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decodes header blocks, and knows the ones that come again and again.
 *
 * <p>A block in which every byte has its highest bit set consists of references to the tables and changes nothing there
 * (RFC 7541, 6.1), so it means the same as long as no other block came in between. A service's answers are of that kind
 * but for the first few.
 */
final class RememberedHeaders implements Http2HeadersDecoder {
    private static final int LONGEST = Long.BYTES;
    private static final int SLOTS = 64;

    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false);
    private final long[] blocks = new long[SLOTS];
    private final @Nullable Http2Headers[] known = new @Nullable Http2Headers[SLOTS];

    @Override
    public Http2Headers decodeHeaders(int streamId, ByteBuf block) throws Http2Exception {
        long bytes = references(block);
        if (bytes == 0) {
            Arrays.fill(known, null); // it may have changed the table
            return decoder.decodeHeaders(streamId, block);
        }
        int slot = (int) ((bytes * 0x9E37_79B9_7F4A_7C15L) >>> 58);
        Http2Headers headers = known[slot];
        if (headers != null && blocks[slot] == bytes) {
            block.skipBytes(block.readableBytes());
            return headers;
        }
        headers = decoder.decodeHeaders(streamId, block);
        blocks[slot] = bytes;
        known[slot] = headers;
        return headers;
    }

    /** Returns the block's bytes as one number, or 0 if it is too long or holds more than one-byte references. */
    private static long references(ByteBuf block) {
        if (block.readableBytes() > LONGEST) {
            return 0;
        }
        long bytes = 0;
        for (int i = block.readerIndex(); i < block.writerIndex(); i++) {
            byte b = block.getByte(i);
            if (b >= 0) {
                return 0;
            }
            bytes = (bytes << Byte.SIZE) | (b & 0xFF);
        }
        return bytes;
    }

    @Override
    public Configuration configuration() {
        return decoder.configuration();
    }
}
