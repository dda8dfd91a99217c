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
    private final Map<CounterKey, Counter> counters = new HashMap<>();

    void lock() {
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }

    @Nullable
    Counter get(CounterKey key) {
        return counters.get(key);
    }

    /** Puts a counter in the place of the one before; null takes it away. */
    void put(CounterKey key, @Nullable Counter counter) {
        if (counter == null) {
            counters.remove(key);
        } else {
            counters.put(key, counter);
        }
    }

    /** Takes away what is as good as none at this instant, and tells of each. */
    void forget(long now, BiConsumer<CounterKey, Counter> forgotten) {
        counters.entrySet().removeIf(entry -> {
            boolean isOver = entry.getValue().forgetAt() <= now;
            if (isOver) {
                forgotten.accept(entry.getKey(), entry.getValue());
            }
            return isOver;
        });
    }
}
