package dev.weir.http2;

import dev.weir.call.Outcome;
import java.util.concurrent.atomic.AtomicLong;

/** The bytes that all connections together may hold of messages that are not complete yet. */
final class Budget {
    private final long maxBytes;
    private final AtomicLong taken = new AtomicLong();

    Budget(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Takes bytes, to be given back.
     *
     * @throws BrokenCallException if there are not so many; nothing is taken then
     */
    void take(int bytes) throws BrokenCallException {
        if (taken.addAndGet(bytes) > maxBytes) {
            giveBack(bytes);
            throw new BrokenCallException(
                    Outcome.RESOURCE_EXHAUSTED,
                    "too many bytes of unfinished messages: " + maxBytes + " are held already");
        }
    }

    void giveBack(int bytes) {
        taken.addAndGet(-bytes);
    }
}
