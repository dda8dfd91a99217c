package dev.weir.http2.bound;

import dev.weir.http2.message.Budget;

/**
 * What all connections of a port together may hold.
 *
 * @param unfinished bytes of calls whose callers have not said everything yet, their headers among them
 * @param unread bytes of answers for which their callers have no room
 * @param unsent bytes that were written to sockets, which have not taken them
 * @param tables bytes of heap that callers have filled with headers before they made their tables small
 * @param calls that are open
 */
public record Budgets(Budget unfinished, Budget unread, Budget unsent, Budget tables, OpenCalls calls) {
    /** Four connections may have all open that one may: some 450 bytes of heap each. */
    private static final int MOST_CALLS = 16_000;

    /** 5 MB: 50 connections with all that one may have open, or 500 with 400 each. */
    private static final int MOST_ROOM_FOR_CALLS = 200_000;

    /** 170 full tables, or those of 400 callers who have each sent twenty traced calls before they heard of our settings. */
    private static final int TABLE_BYTES = 2 << 20;

    /** Returns budgets of so many bytes each, and of so many calls and tables as there is reason for. */
    public static Budgets of(long bytes) {
        return new Budgets(
                new Budget(bytes),
                new Budget(bytes),
                new Budget(bytes),
                new Budget(TABLE_BYTES),
                new OpenCalls(MOST_CALLS, MOST_ROOM_FOR_CALLS));
    }
}
