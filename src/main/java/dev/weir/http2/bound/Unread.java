package dev.weir.http2.bound;

import dev.weir.http2.message.Budget;

/**
 * The bytes of answers that wait for room in the windows of one caller: what somebody who asks and takes no answers makes us
 * hold. Bounded for each connection, and by a budget of all. Belongs to the thread of the connection.
 *
 * <p>Where others have used up the budget of all, a connection may hold a few answers all the same, and whatever has room in its
 * windows passes uncounted: that goes out at the end of the round.
 */
public final class Unread {
    /** As many answers as a connection may have calls open, of two kilobytes each: most are a twentieth of that. */
    static final int MOST = 8 << 20;

    /** What each connection may hold though others use up the budget: a few answers, which are small. */
    static final int ALWAYS = 4 << 10;

    /** What has room may still wait for the socket, so no more than this is trusted to go out at once. */
    static final int MOST_UNCOUNTED = 64 << 10;

    private final Budget ofAll;
    private int bytes;
    private int counted;

    /** Creates the account of a connection on which nothing waits. */
    public Unread(Budget ofAll) {
        this.ofAll = ofAll;
    }

    /** Returns how much was taken and not given back. */
    public int bytes() {
        return bytes;
    }

    /**
     * Takes what is about to wait; returns false, and takes nothing, if it is too much beside what waits already.
     *
     * @param hasRoom whether the windows have room for it, and for all that waits already
     */
    public boolean take(int more, boolean hasRoom) {
        if (bytes > 0 && bytes + more > MOST) {
            return false;
        }
        bytes += more;
        if ((hasRoom && bytes <= MOST_UNCOUNTED) || count()) {
            return true;
        }
        bytes -= more;
        return false;
    }

    /** Counts all that waits, for its room may be gone; returns false if the budget has not so much. */
    public boolean count() {
        int held = Math.max(0, bytes - ALWAYS);
        if (held > counted) {
            if (!ofAll.mayTake(held - counted)) {
                return false;
            }
            counted = held;
        }
        return true;
    }

    /** Gives back what was sent, or dropped. */
    public void giveBack(int sent) {
        bytes -= sent;
        int held = Math.max(0, bytes - ALWAYS);
        if (held < counted) {
            ofAll.giveBack(counted - held);
            counted = held;
        }
    }
}
