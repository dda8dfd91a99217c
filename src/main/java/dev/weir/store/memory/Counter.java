package dev.weir.store.memory;

import dev.weir.limit.Lock;
import dev.weir.limit.State;
import org.jspecify.annotations.Nullable;

/**
 * What a counter holds between two plans: what was counted, and a lock beside it that can outlast it. Each is forgotten in its
 * own time, as in Redis, where they are two keys.
 *
 * @param state what was counted, null for nothing
 * @param lock of a refusal, or null
 * @param forgetAt the instant from which on the state is as good as none, in microseconds since the Unix epoch
 */
record Counter(@Nullable State state, @Nullable Lock lock, long forgetAt) {

    /** Returns about how many bytes of memory the state takes. */
    long bytes() {
        return state == null ? 0 : state.bytes();
    }

    /** Returns what stays when the state is as good as none: the lock if it has not ended, else null. */
    @Nullable
    Counter lockAlone(long now) {
        return lock == null || lock.end() <= now ? null : new Counter(null, lock, lock.end());
    }
}
