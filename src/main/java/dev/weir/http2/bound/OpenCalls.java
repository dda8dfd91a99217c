package dev.weir.http2.bound;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many calls are open on all connections of a port. One connection may have thousands, which is right for the few that are
 * busy; but each call holds memory from its first frame on, and callers have as many connections as they like.
 *
 * <p>When all are taken, a connection may have a few all the same: who has none open shall not wait for those who have thousands.
 *
 * <p>Connections count theirs once a round of reading or writing, so there may be a round's more than said. Safe for use by any
 * thread.
 */
public final class OpenCalls {
    private static final int ALWAYS = 8;

    private final int most;
    private final AtomicInteger open = new AtomicInteger();

    /**
     * Creates the count of a port on which no call is open.
     *
     * @param most that may be
     */
    public OpenCalls(int most) {
        this.most = most;
    }

    /** Returns the account of a connection without calls, which belongs to the thread of the connection. */
    public Account account() {
        return new Account();
    }

    /** The calls of one connection. */
    public final class Account {
        private int counted;

        private Account() {}

        /**
         * Returns whether a call may be opened.
         *
         * @param now how many are open then, with this one
         */
        public boolean mayOpen(int now) {
            return now <= ALWAYS || open.get() < most;
        }

        /** Says how many are open now. */
        public void count(int now) {
            if (now != counted) {
                open.addAndGet(now - counted);
                counted = now;
            }
        }
    }
}
