package dev.weir.http2.bound;

import dev.weir.http2.message.Budget;

/**
 * The bytes of answers that wait for room in the windows of one caller: what somebody who asks and takes no answers makes us
 * hold. Bounded for each connection, and by a budget of all. Belongs to the thread of the connection.
 */
public final class Unread {
    /** As many answers as a connection may have calls open, of two kilobytes each: most are a twentieth of that. */
    static final int MOST = 8 << 20;

    private final Budget ofAll;
    private int bytes;

    /** Creates the account of a connection on which nothing waits. */
    public Unread(Budget ofAll) {
        this.ofAll = ofAll;
    }

    /** Counts what is about to wait; returns false, and counts nothing, if it is too much beside what waits already. */
    public boolean take(int more) {
        if ((bytes > 0 && bytes + more > MOST) || !ofAll.mayTake(more)) {
            return false;
        }
        bytes += more;
        return true;
    }

    /** Counts off what was sent, or dropped. */
    public void giveBack(int sent) {
        bytes -= sent;
        ofAll.giveBack(sent);
    }
}
