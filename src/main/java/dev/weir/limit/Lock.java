package dev.weir.limit;

import org.jspecify.annotations.Nullable;

/**
 * A counter's lock after a refusal ({@code block_for}).
 *
 * @param since the instant of the refusal, in microseconds since the Unix epoch
 * @param lengthMicros how long it lasts: an edited rule changes those to come, not this one
 */
public record Lock(long since, long lengthMicros) {

    /**
     * Returns for how long the counter is still locked, 0 if it is not. As with all state, a lock that began more than its
     * own length ahead of now is none: time stepped back.
     */
    public static long leftMicros(@Nullable Lock lock, long now) {
        if (lock == null || lock.since - now > lock.lengthMicros) {
            return 0;
        }
        return Math.max(0, lock.end() - now);
    }

    /** Returns the instant from which on it locks nothing, in microseconds since the Unix epoch. */
    public long end() {
        return since + lengthMicros;
    }
}
