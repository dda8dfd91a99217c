package dev.weir.http2.header;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import org.jspecify.annotations.Nullable;

/**
 * Reads the header blocks of one connection, and knows the last one again: a caller of one method sends the same few bytes for
 * each of its calls. They mean the same as long as the table of HPACK that they point into is the same, so a block is only
 * remembered if it leaves the table as it is, and only until one comes that does not. Not to read it again saves a tenth of a
 * decision in memory (decision 17).
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7541#section-6">RFC 7541, section 6</a>, the forms of a header
 */
public final class HeaderBlocks extends DefaultHttp2HeadersDecoder {
    /** Longer ones are not worth the room. */
    private static final int MAX_KNOWN_BYTES = 512;

    private static final int INDEXED = 0x80;
    private static final int CHANGES_TABLE = 0x20;
    private static final int INDEX_BITS = 0x7F;
    private static final int NAME_BITS = 0x0F;
    private static final int LENGTH_BITS = 0x7F;
    private static final int BROKEN = Integer.MAX_VALUE;

    private ByteBuf known = Unpooled.EMPTY_BUFFER;
    private @Nullable Http2Headers knownHeaders;

    /**
     * Creates the reader of a connection.
     *
     * @param maxListBytes of all headers of a block together, as RFC 9113, section 6.5.2, counts them
     */
    public HeaderBlocks(long maxListBytes) {
        super(true, maxListBytes);
    }

    /**
     * Returns what a block says.
     *
     * @return the same object for the same block, so nobody may change it
     */
    @Override
    public Http2Headers decodeHeaders(int streamId, ByteBuf block) throws Http2Exception {
        Http2Headers last = knownHeaders;
        if (last != null && ByteBufUtil.equals(block, known)) {
            var _ = block.skipBytes(block.readableBytes());
            return last;
        }
        forget(); // also if what follows fails
        ByteBuf read = keepsTable(block) ? Unpooled.wrappedBuffer(ByteBufUtil.getBytes(block)) : null;
        Http2Headers headers = super.decodeHeaders(streamId, block);
        if (read != null && !headers.contains(HttpHeaderNames.CONTENT_LENGTH)) { // Netty puts several of them into one
            known = read;
            knownHeaders = headers;
        }
        return headers;
    }

    @Override
    public void maxHeaderTableSize(long max) throws Http2Exception {
        forget();
        super.maxHeaderTableSize(max);
    }

    @Override
    public void maxHeaderListSize(long max, long goAwayMax) throws Http2Exception {
        forget();
        super.maxHeaderListSize(max, goAwayMax);
    }

    private void forget() {
        knownHeaders = null;
    }

    /** Returns whether a block is short, whole, and without a header that is added to the table, or a new size of it. */
    static boolean keepsTable(ByteBuf block) {
        int end = block.writerIndex();
        int at = block.readerIndex();
        if (end - at > MAX_KNOWN_BYTES) {
            return false;
        }
        while (at < end) {
            int first = block.getUnsignedByte(at++);
            if (first >= INDEXED) {
                at = (first & INDEX_BITS) == INDEX_BITS ? afterNumber(block, at, end) : at;
            } else if (first >= CHANGES_TABLE) {
                return false;
            } else {
                int name = first & NAME_BITS;
                at = name == 0 ? afterText(block, at, end) : name == NAME_BITS ? afterNumber(block, at, end) : at;
                at = afterText(block, at, end);
            }
        }
        return at == end;
    }

    /** Returns where the rest of a number ends that did not fit into its first byte. */
    private static int afterNumber(ByteBuf block, int from, int end) {
        int at = from;
        while (at < end && block.getByte(at) < 0) {
            at++;
        }
        return at < end ? at + 1 : BROKEN;
    }

    /** Returns where a text ends; those of 127 bytes and more count as broken. */
    private static int afterText(ByteBuf block, int from, int end) {
        if (from >= end) {
            return BROKEN;
        }
        int length = block.getByte(from) & LENGTH_BITS;
        return length == LENGTH_BITS ? BROKEN : from + 1 + length;
    }
}
