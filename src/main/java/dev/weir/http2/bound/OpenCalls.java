package dev.weir.http2.bound;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many calls are open on all connections of a port. One connection may have thousands, which is right for the few that are
 * busy; but each call holds memory from its first frame on, and callers have as many connections as they like.
 *
 * <p>When all are taken, a connection may have a few all the same: who has none open shall not wait for those who have thousands.
 *
 * <p>Netty's maps of streams grow with the most calls that a connection ever had open at once, by some 26 bytes for each, and
 * never shrink. So the room for them is bounded as well; where half of it is taken, connections shall leave that have far more
 * than they need ({@link Account#isRoomWasted}).
 *
 * <p>Connections count their calls once a round of reading or writing, so there may be a round's more than said. Safe for use by any
 * thread.
 */
public final class OpenCalls {
    private static final int ALWAYS = 8;

    /** Room that each connection has in any case. */
    private static final int FIRST_ROOM = 16;

    /** Of which part of its room a connection has calls that does not waste it. */
    private static final int USED_PART = 8;

    private final int most;
    private final int mostRoom;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger room = new AtomicInteger();

    /**
     * Creates the count of a port on which no call is open.
     *
     * @param most that may be
     * @param mostRoom for how many all connections together may have room beyond what each begins with
     */
    public OpenCalls(int most, int mostRoom) {
        this.most = most;
        this.mostRoom = mostRoom;
    }

    /** Returns the account of a connection without calls, which belongs to the thread of the connection. */
    public Account account() {
        return new Account();
    }

    /** The calls of one connection. */
    public final class Account {
        private int counted;
        private int ownRoom = FIRST_ROOM;

        private Account() {}

        /**
         * Returns whether a call may be opened.
         *
         * @param now how many are open then, with this one
         */
        public boolean mayOpen(int now) {
            return now <= ALWAYS || (open.get() < most && hasRoom(now));
        }

        private boolean hasRoom(int now) {
            int more = now - ownRoom;
            if (more <= 0) {
                return true;
            }
            // Not added first and taken off again: that would refuse others meanwhile.
            int before = room.get();
            while (before + more <= mostRoom) {
                int seen = room.compareAndExchange(before, before + more);
                if (seen == before) {
                    ownRoom = now;
                    return true;
                }
                before = seen;
            }
            return false;
        }

        /** Says how many are open now. */
        public void count(int now) {
            if (now != counted) {
                open.addAndGet(now - counted);
                counted = now;
            }
        }

        /** Returns whether it has room for many more calls than are open, and others may soon have none. */
        public boolean isRoomWasted() {
            return ownRoom > FIRST_ROOM && room.get() > mostRoom / 2 && counted < ownRoom / USED_PART;
        }

        /** The connection has ended, and its calls with it. */
        public void end() {
            count(0);
            room.addAndGet(FIRST_ROOM - ownRoom);
            ownRoom = FIRST_ROOM;
        }
    }
}
