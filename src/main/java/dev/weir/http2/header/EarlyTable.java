package dev.weir.http2.header;

import dev.weir.http2.message.Budget;

/**
 * The heap of what a caller adds to its table of headers before it holds to the size that we allow. Until then it may fill one of
 * the usual 4,096 bytes: with headers of two letters that is four times as much heap. Each connection may hold what fills the
 * small table as well. What is beyond that comes out of a budget of all, and only at first: a caller who has not made its table
 * smaller by then does not mean to.
 *
 * <p>Nothing is counted off for what is thrown out of the table again, so this is never less than what is held. Belongs to the
 * thread of the connection.
 */
public final class EarlyTable {
    static final int ALWAYS_BYTES = 4 << 10;

    /** No table of the usual size takes more. */
    static final int MOST_BYTES = 16 << 10;

    /** Measured: the objects of a header with name and value, and a few characters. */
    private static final int HEADER_BYTES = 112;

    private final Budget ofAll;
    private int bytes;
    private int counted;
    private boolean isOver;
    private boolean isSettled;

    /** Creates the account of a caller whose table is empty. */
    public EarlyTable(Budget ofAll) {
        this.ofAll = ofAll;
    }

    /** Counts headers that are added by a block of so many bytes; returns false if they are too many. */
    boolean add(int headers, int blockBytes) {
        if (isSettled) {
            return true;
        }
        bytes = Math.min(MOST_BYTES, bytes + headers * HEADER_BYTES + charactersOf(blockBytes));
        int beyond = Math.max(0, bytes - ALWAYS_BYTES);
        if (beyond > counted && (isOver || !ofAll.mayTake(beyond - counted))) {
            return false;
        }
        counted = beyond;
        return true;
    }

    /** The code of Huffman has five bits for a character at least. */
    private static int charactersOf(int bytes) {
        return bytes * Byte.SIZE / 5;
    }

    /** The table is small from now on, or gone. */
    public void settle() {
        isSettled = true;
        ofAll.giveBack(counted);
        counted = 0;
    }

    /** The caller has had time to make its table smaller; returns false if it has not, and holds too much. */
    public boolean endGrace() {
        isOver = true;
        return counted == 0;
    }
}
