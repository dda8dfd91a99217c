package dev.weir.store;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the plans that wait to be sent, in all queues of a store together, and says when there are enough.
 *
 * <p>Far more than are ever answered in time: whoever brings requests turns them away long before. This is what memory relies
 * on, whatever they do.
 */
public final class WaitingRoom {
    private static final int SEATS = 16_384;

    private final AtomicInteger waiting = new AtomicInteger();

    /** Creates an empty room. */
    public WaitingRoom() {}

    /** Returns whether no more should come. Several that ask at once may all be told that there is room. */
    public boolean isFull() {
        return waiting.get() >= SEATS;
    }

    /** Returns whether half of the seats are taken, so that whoever can should clear some. */
    boolean isHalfFull() {
        return waiting.get() >= SEATS / 2;
    }

    /** A plan waits. Parts of plans under way, refunds and pulses come in even if it is full. */
    void come() {
        waiting.incrementAndGet();
    }

    /** So many plans wait no more. */
    void leave(int plans) {
        if (plans > 0) {
            waiting.addAndGet(-plans);
        }
    }
}
