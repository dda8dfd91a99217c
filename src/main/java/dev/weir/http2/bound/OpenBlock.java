package dev.weir.http2.bound;

import dev.weir.http2.message.Budget;

/**
 * The bytes of a block of headers that a caller has begun and not finished, which are kept until all of it is here. A few each
 * connection may hold; what is beyond comes out of a budget of all. Belongs to the thread of the connection.
 */
public final class OpenBlock {
    /** More than nearly all blocks have: those that are longer repeat what an end user sends, as {@code tracestate}. */
    static final int ALWAYS = 10 << 10;

    private final Budget ofAll;
    private int bytes;
    private int counted;

    /** Creates the account of a connection on which no block is begun. */
    public OpenBlock(Budget ofAll) {
        this.ofAll = ofAll;
    }

    /** Takes what has come of the block; returns false, and takes nothing, if that is too much beside what others hold. */
    public boolean take(int more) {
        int beyond = Math.max(0, bytes + more - ALWAYS);
        if (beyond > counted && !ofAll.mayTake(beyond - counted)) {
            return false;
        }
        bytes += more;
        counted = beyond;
        return true;
    }

    /** No block is open. */
    public void end() {
        if (bytes > 0) {
            ofAll.giveBack(counted);
            counted = 0;
            bytes = 0;
        }
    }
}
