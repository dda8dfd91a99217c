package dev.weir.http2.bound;

import dev.weir.http2.message.Budget;

/**
 * What all connections of a port together may hold.
 *
 * @param unfinished bytes of calls whose callers have not said everything yet
 * @param unread bytes of answers for which their callers have no room
 */
public record Budgets(Budget unfinished, Budget unread) {

    /** Returns budgets of so many bytes each. */
    public static Budgets of(long bytes) {
        return new Budgets(new Budget(bytes), new Budget(bytes));
    }
}
