package dev.weir.store.memory;

import dev.weir.store.CounterKey;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Some of the counters, and the lock that guards them: whoever asks for one holds it. */
final class Segment {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<CounterKey, Cell> counters = new HashMap<>();

    void lock() {
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }

    /** Returns where a counter lies, null if there is none. */
    @Nullable
    Cell get(CounterKey key) {
        return counters.get(key);
    }

    /**
     * Lets a counter stand as it is now; null takes it away.
     *
     * @param cell where it lies, null for nowhere yet
     */
    void put(CounterKey key, @Nullable Cell cell, @Nullable Counter counter) {
        if (counter == null) {
            counters.remove(key);
        } else if (cell == null || !cell.hold(counter)) {
            counters.put(key, Cell.of(counter));
        }
    }

    /** Takes away what is as good as none at this instant, and tells of each. */
    void forget(long now, BiConsumer<CounterKey, Counter> forgotten) {
        counters.entrySet().removeIf(entry -> {
            boolean isOver = entry.getValue().forgetAt() <= now;
            if (isOver) {
                forgotten.accept(entry.getKey(), entry.getValue().counter());
            }
            return isOver;
        });
    }
}
