package dev.weir.bench;

/** Hears how each request of a connection ended, and what becomes of the connection. */
interface ConnectionListener {
    /** A verdict came, for a request that was meant to start at {@code startNanos}. */
    void answered(Connection connection, long startNanos, boolean isOver);

    /** The deadline of a request that was meant to start at {@code startNanos} has passed without a verdict. */
    void late(Connection connection, long startNanos);

    /** There will be no verdict. */
    void failed(Connection connection, Failure failure);

    /** There will be no verdict for so many requests. */
    default void failed(Connection connection, Failure failure, int requests) {
        for (int i = 0; i < requests; i++) {
            failed(connection, failure);
        }
    }

    /** A request was not sent, because too many wait already. */
    void unsent(Connection connection);

    /** The connection had nothing under way, and now has. */
    void busy(Connection connection);

    /** The connection takes no more requests, but answers those under way: another one is needed in its place. */
    void leaving(Connection connection);

    /** The service gives an error as the reason why it ends the connection, which may be left already. */
    void dismissed(Connection connection, Failure error);

    /** The connection is gone: another one is needed in its place. */
    void lost(Connection connection);
}
