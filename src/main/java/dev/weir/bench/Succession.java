package dev.weir.bench;

import org.jspecify.annotations.Nullable;

/** Who takes the place of a connection that is left, and what waits there. Belongs to the thread of the event loop. */
final class Succession {
    private final Connection connection;
    private final Waiting waiting;
    private boolean isExpected;
    private @Nullable Succession next;

    Succession(Connection connection, Waiting waiting) {
        this.connection = connection;
        this.waiting = waiting;
    }

    /** Returns whether another connection is being made, for which requests may wait. */
    boolean isExpected() {
        return isExpected;
    }

    void expect() {
        isExpected = true;
    }

    void expectNone() {
        isExpected = false;
    }

    /** Another connection takes the place of this one. */
    void begin(Succession to) {
        isExpected = false;
        next = to;
        handOver();
    }

    /** Lets the last connection of the line send what waits, if there is another one. */
    void handOver() {
        Succession last = this;
        while (last.next != null) {
            last = last.next;
        }
        if (last != this) {
            while (!waiting.isEmpty()) {
                last.connection.send(waiting.take());
            }
            last.connection.flush();
        }
    }
}
