package dev.weir.http2.bound;

import dev.weir.http2.message.Budget;

/**
 * What all connections of a port together may hold.
 *
 * @param unfinished bytes of calls whose callers have not said everything yet
 * @param unread bytes of answers for which their callers have no room
 * @param unsent bytes that were written to sockets, which have not taken them
 * @param calls that are open
 */
public record Budgets(Budget unfinished, Budget unread, Budget unsent, OpenCalls calls) {
    /** Four connections may have all open that one may: some 450 bytes of heap each. */
    private static final int MOST_CALLS = 16_000;

    /** Returns budgets of so many bytes each, and of so many calls as there is reason for. */
    public static Budgets of(long bytes) {
        return new Budgets(new Budget(bytes), new Budget(bytes), new Budget(bytes), new OpenCalls(MOST_CALLS));
    }
}
