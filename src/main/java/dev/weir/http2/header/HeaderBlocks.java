package dev.weir.http2.header;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import org.jspecify.annotations.Nullable;

/**
 * Reads the header blocks of one connection, and knows the last one again: a caller of one method sends the same few bytes for
 * each of its calls. They mean the same as long as the table of HPACK that they point into is the same, so a block is only
 * remembered if it leaves the table as it is, and only until another comes. That saves an eighth of Weir's processor time for
 * a decision (decision 17).
 *
 * <p>A header without a name that is to be added to the table ends the connection, before Netty reads it: a table filled with
 * nothing else and then resized makes Netty 4.2.16 take out, for ever, what it has lost ({@code HpackDynamicTable}). HTTP knows
 * no such header (RFC 9110, section 5.1).
 *
 * <p>A caller who has acknowledged that its table is smaller must say so in its next block (RFC 7541, section 4.2). Callers who
 * use no table often do not, nor do older ones that use it, so nobody is held to it before he has said so; what he adds until then
 * is counted ({@link EarlyTable}). A caller that has acknowledged our size and says a larger one breaks the rule, and its
 * connection ends.
 */
public final class HeaderBlocks extends DefaultHttp2HeadersDecoder {
    // Longer ones are not worth the room.
    private static final int MAX_KNOWN_BYTES = 512;
    private static final int MAX_KNOWN_HEADERS = 16;

    private static final long NOTHING_SAID = -1;

    private final EarlyTable table;
    private ByteBuf known = Unpooled.EMPTY_BUFFER;
    private @Nullable Http2Headers knownHeaders;
    private long tableBytes = Http2CodecUtil.DEFAULT_HEADER_TABLE_SIZE;
    private long allowedTableBytes = NOTHING_SAID;
    private boolean isHeldToSize;

    /**
     * Creates the reader of a connection.
     *
     * @param maxListBytes of all headers of a block together, as RFC 9113, section 6.5.2, counts them
     * @param table of the caller; the connection ends when too much is added to it
     */
    public HeaderBlocks(long maxListBytes, EarlyTable table) {
        super(true, maxListBytes);
        this.table = table;
    }

    /**
     * Returns what a block says.
     *
     * @return the same object for the same block, so nobody may change it
     * @throws Http2Exception if it breaks the rules of HPACK or of HTTP/2, or adds to the table a header without a name, or too many
     */
    @Override
    public Http2Headers decodeHeaders(int streamId, ByteBuf block) throws Http2Exception {
        Http2Headers last = knownHeaders;
        if (last != null && ByteBufUtil.equals(block, known)) {
            var _ = block.skipBytes(block.readableBytes());
            return last;
        }
        forget(); // also if what follows fails
        BlockForm form = BlockForm.of(block);
        if (form == BlockForm.ADDS_NAMELESS) {
            throw Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, "a header without a name");
        }
        if (form == BlockForm.CHANGES_TABLE && !isHeldToSize) {
            changeTable(block);
        }
        boolean isShort = block.readableBytes() <= MAX_KNOWN_BYTES;
        ByteBuf read =
                isShort && form == BlockForm.KEEPS_TABLE ? Unpooled.wrappedBuffer(ByteBufUtil.getBytes(block)) : null;
        Http2Headers headers = super.decodeHeaders(streamId, block);
        // Netty puts several lengths into one.
        if (read != null && headers.size() <= MAX_KNOWN_HEADERS && !headers.contains(HttpHeaderNames.CONTENT_LENGTH)) {
            known = read;
            knownHeaders = headers;
        }
        return headers;
    }

    private void changeTable(ByteBuf block) throws Http2Exception {
        long said = BlockForm.tableBytes(block);
        if (said >= 0) {
            if (allowedTableBytes != NOTHING_SAID && said > allowedTableBytes) {
                throw Http2Exception.connectionError(
                        Http2Error.COMPRESSION_ERROR, "a table of %d bytes, larger than allowed", said);
            }
            tableBytes = said;
            holdToSize();
        }
        if (!table.add(BlockForm.added(block), block.readableBytes())) {
            throw Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, "too_many_headers_in_table");
        }
    }

    /** Before the block is read that says the size: Netty reads it as the answer to ours then. */
    private void holdToSize() throws Http2Exception {
        if (tableBytes <= allowedTableBytes) {
            isHeldToSize = true;
            super.maxHeaderTableSize(allowedTableBytes);
            table.settle();
        }
    }

    /** Returns whether these headers are what the block that is remembered says, so that they may come again. */
    @SuppressWarnings("ReferenceEquality") // others are not compared: that would cost more than to read them
    public boolean isKnown(Http2Headers headers) {
        return headers == knownHeaders;
    }

    /**
     * Returns whether the block that is remembered stands here.
     *
     * @param in of which nothing is read
     * @param block where it begins
     * @param bytes how long it is
     */
    public boolean isKnown(ByteBuf in, int block, int bytes) {
        return knownHeaders != null && bytes == known.readableBytes() && ByteBufUtil.equals(in, block, known, 0, bytes);
    }

    @Override
    public void maxHeaderTableSize(long max) throws Http2Exception {
        forget();
        allowedTableBytes = max;
        holdToSize();
    }

    @Override
    public void maxHeaderListSize(long max, long goAwayMax) throws Http2Exception {
        forget();
        super.maxHeaderListSize(max, goAwayMax);
    }

    private void forget() {
        known = Unpooled.EMPTY_BUFFER;
        knownHeaders = null;
    }
}
