package dev.weir.http2.message;

import dev.weir.call.Outcome;
import java.util.concurrent.atomic.AtomicLong;

/** The bytes that all connections together may hold of calls whose callers have not said everything yet. */
public final class Budget {
    private final long maxBytes;
    private final AtomicLong taken = new AtomicLong();

    /**
     * Creates a budget of which nothing is taken.
     *
     * @param maxBytes that may be taken
     */
    public Budget(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Takes bytes, to be given back.
     *
     * @throws BrokenCallException if there are not so many; nothing is taken then
     */
    public void take(int bytes) throws BrokenCallException {
        if (taken.addAndGet(bytes) > maxBytes) {
            giveBack(bytes);
            throw new BrokenCallException(
                    Outcome.RESOURCE_EXHAUSTED,
                    "too many bytes of unfinished calls: " + maxBytes + " are held already");
        }
    }

    void giveBack(int bytes) {
        taken.addAndGet(-bytes);
    }
}
