package dev.weir.http2.message;

import dev.weir.call.Outcome;
import java.util.concurrent.atomic.AtomicLong;

/** Bytes that all connections together may hold. */
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
     * Takes bytes of a call whose caller has not said everything yet, to be given back.
     *
     * @throws BrokenCallException if there are not so many; nothing is taken then
     */
    public void take(int bytes) throws BrokenCallException {
        if (!mayTake(bytes)) {
            throw new BrokenCallException(
                    Outcome.RESOURCE_EXHAUSTED,
                    "too many bytes of unfinished calls: " + maxBytes + " are held already");
        }
    }

    /** Takes bytes, to be given back, and returns true; returns false, and takes nothing, if there are not so many. */
    public boolean mayTake(int bytes) {
        // Not added first and taken off again: that would refuse others meanwhile.
        long before = taken.get();
        while (before + bytes <= maxBytes) {
            long seen = taken.compareAndExchange(before, before + bytes);
            if (seen == before) {
                return true;
            }
            before = seen;
        }
        return false;
    }

    /** Gives bytes back that were taken. */
    public void giveBack(int bytes) {
        taken.addAndGet(-bytes);
    }
}
