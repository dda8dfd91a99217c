package dev.weir.store.memory;

import dev.weir.limit.Lock;
import dev.weir.limit.State;
import org.jspecify.annotations.Nullable;

/**
 * What a counter holds between two plans.
 *
 * @param state what was counted, null for nothing
 * @param lock of a refusal, or null
 * @param forgetAt the instant from which on it is as good as none, in microseconds since the Unix epoch
 */
record Counter(@Nullable State state, @Nullable Lock lock, long forgetAt) {

    /** Returns about how many bytes of memory the state takes. */
    long bytes() {
        return state == null ? 0 : state.bytes();
    }
}
