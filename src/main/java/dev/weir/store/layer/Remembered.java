package dev.weir.store.layer;

import dev.weir.limit.Limit;
import dev.weir.store.Reading;

/** What is remembered of a counter. All instants are nanoseconds of one monotonic clock. */
sealed interface Remembered {
    long NANOS_PER_MICRO = 1_000;

    /** Returns the instant for which it speaks: what was asked of the store before it is older than this. */
    long since();

    /**
     * The store refused even one hit.
     *
     * @param limit the very limit under which it did
     * @param since when it was asked: its answer was true then or later, so what is counted from here is never too long
     * @param until when it is to be asked again
     * @param retryAt when one hit would be admitted
     * @param resetAt when the counter is as if untouched
     */
    record Refusal(Limit limit, long since, long until, long retryAt, long resetAt) implements Remembered {

        /** Returns whether this limit still refuses every hit. */
        boolean isInForce(Limit current, long now) {
            return until - now > 0 && limit.equals(current);
        }

        /** Returns what the store would read now. */
        Reading reading(long now) {
            return new Reading(false, 0, 0, microsTo(resetAt, now), microsTo(retryAt, now), 0, true);
        }

        private static long microsTo(long instant, long now) {
            return Math.max(0, Math.ceilDiv(instant - now, NANOS_PER_MICRO));
        }
    }

    /**
     * Hits were given back, or the counter was forgotten: nothing that was asked before says anything any more.
     *
     * @param since when this was known
     */
    record Forgotten(long since) implements Remembered {}
}
