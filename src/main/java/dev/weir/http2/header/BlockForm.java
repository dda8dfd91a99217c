package dev.weir.http2.header;

import io.netty.buffer.ByteBuf;

/**
 * What a header block does to the table of HPACK, as far as its form tells.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7541#section-6">RFC 7541, section 6</a>, the forms of a header
 */
enum BlockForm {
    /** All of it can be read with the table as it is, and leaves it so. */
    KEEPS_TABLE,

    /** Something is added or the table resized; or the block is cut off. */
    CHANGES_TABLE,

    /** A header without a name is added. */
    ADDS_NAMELESS;

    private static final int INDEXED = 0x80;
    private static final int ADDED = 0x40;
    private static final int RESIZE = 0x20;
    private static final int NAME_BITS = 0x0F;
    private static final int TEXT_BITS = 0x7F;
    private static final int MORE = 0x80;
    private static final int BITS_OF_BYTE = 7;

    /** Netty reads numbers of up to nine bytes more, zeros in front of a small one among them. */
    private static final int MAX_SHIFT = 56;

    /** Returns the form of a block, which is walked as a decoder reads it, to its end or to where it is cut off. */
    static BlockForm of(ByteBuf block) {
        var form = KEEPS_TABLE;
        long at = block.readerIndex();
        int end = block.writerIndex();
        while (at < end) {
            int first = block.getUnsignedByte((int) at);
            if (first >= RESIZE && first < INDEXED) {
                form = CHANGES_TABLE;
                if (first == ADDED && at + 1 < end && (block.getByte((int) at + 1) & TEXT_BITS) == 0) {
                    return ADDS_NAMELESS;
                }
            }
            at = after(block, at, first);
        }
        return at == end ? form : CHANGES_TABLE;
    }

    /** Returns how many headers a block adds, as far as it goes. */
    static int added(ByteBuf block) {
        int added = 0;
        long at = block.readerIndex();
        while (at < block.writerIndex()) {
            int first = block.getUnsignedByte((int) at);
            if (first >= ADDED && first < INDEXED) {
                added++;
            }
            at = after(block, at, first);
        }
        return added;
    }

    /** Returns the size that a block says the table has from now on; a negative number if it says none. */
    static long tableBytes(ByteBuf block) {
        long bytes = -1;
        long at = block.readerIndex();
        while (at < block.writerIndex() && isResize(block.getUnsignedByte((int) at))) {
            long next = afterNumber(block, at, RESIZE - 1);
            bytes = next > block.writerIndex() ? -1 : number(block, (int) at, (int) next);
            at = next;
        }
        return bytes;
    }

    private static boolean isResize(int first) {
        return first >= RESIZE && first < ADDED;
    }

    /** Returns a new size of the table, which stands there to its end. */
    private static long number(ByteBuf block, int from, int end) {
        long number = block.getByte(from) & (RESIZE - 1);
        for (int at = from + 1; at < end; at++) {
            int shift = BITS_OF_BYTE * (at - from - 1);
            if (shift > MAX_SHIFT) {
                return Long.MAX_VALUE;
            }
            number += (long) (block.getByte(at) & TEXT_BITS) << shift;
        }
        return number;
    }

    /** Returns where a header ends, or a new size of the table; beyond the block if it is cut off. */
    private static long after(ByteBuf block, long at, int first) {
        if (first >= INDEXED) {
            return afterNumber(block, at, INDEXED - 1);
        }
        if (isResize(first)) {
            return afterNumber(block, at, RESIZE - 1);
        }
        int nameBits = first >= ADDED ? ADDED - 1 : NAME_BITS;
        boolean isNamed = (first & nameBits) != 0;
        return afterText(block, isNamed ? afterNumber(block, at, nameBits) : afterText(block, at + 1));
    }

    /** Returns where a number ends whose first byte has these bits for it. */
    private static long afterNumber(ByteBuf block, long from, int bits) {
        long at = from + 1;
        if ((block.getByte((int) from) & bits) == bits) {
            while (at < block.writerIndex() && (block.getByte((int) at) & MORE) != 0) {
                at++;
            }
            at++;
        }
        return at;
    }

    /** Returns where a text ends; beyond the block if it is cut off. */
    private static long afterText(ByteBuf block, long from) {
        int end = block.writerIndex();
        if (from >= end) {
            return Long.MAX_VALUE;
        }
        long length = block.getByte((int) from) & TEXT_BITS;
        long at = from + 1;
        boolean hasMore = length == TEXT_BITS;
        for (int shift = 0; hasMore; shift += BITS_OF_BYTE) {
            if (at >= end || shift > MAX_SHIFT || length > end) {
                return Long.MAX_VALUE;
            }
            int octet = block.getByte((int) at++);
            length += (long) (octet & TEXT_BITS) << shift;
            hasMore = (octet & MORE) != 0;
        }
        return at + length;
    }
}
