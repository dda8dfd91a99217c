package dev.weir;

import dev.weir.socket.Seldom;
import dev.weir.store.redis.RedisListener.Memory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/**
 * Says in the log that a Redis will forget counters when it is full, once until that changes, and that it does, now and then: an
 * evicted counter admits its limit again, and no request shows it.
 *
 * <p>Safe for use by any thread.
 */
final class Evictions {
    private static final Duration BETWEEN_LINES = Duration.ofMinutes(10);

    private final Logger log;
    private final Map<String, String> warnedOf = new ConcurrentHashMap<>(); // policies, by node
    private final Map<String, Evicted> evicted = new ConcurrentHashMap<>(); // by node

    Evictions(Logger log) {
        this.log = log;
    }

    /**
     * A Redis told what it does.
     *
     * @param newlyEvicted how many keys it has evicted since it told so last
     */
    void heard(Memory memory, long newlyEvicted) {
        if (newlyEvicted > 0) {
            Evicted here = evicted.computeIfAbsent(memory.node(), _ -> new Evicted());
            here.untoldKeys.addAndGet(newlyEvicted);
            here.lines.tell(_ -> log.warn(
                    "Redis at {} was full and has evicted keys; a counter among them admits its limit again"
                            + " (keys since the last such line: {})",
                    memory.node(),
                    here.untoldKeys.getAndSet(0)));
        }
        if (memory.evicts()) {
            warn(memory);
        } else if (warnedOf.remove(memory.node()) != null) {
            log.info(
                    "Redis at {} will forget no counters any more (maxmemory-policy {}, maxmemory {})",
                    memory.node(),
                    memory.policy(),
                    memory.maxBytes());
        }
    }

    private void warn(Memory memory) {
        if (!memory.policy().equals(warnedOf.put(memory.node(), memory.policy()))) {
            log.warn(
                    "Redis at {} will forget counters when it is full (maxmemory-policy {}), and a forgotten counter admits its"
                            + " limit again; give it maxmemory-policy noeviction",
                    memory.node(),
                    memory.policy());
        }
    }

    /** What one Redis has evicted. */
    private static final class Evicted {
        private final AtomicLong untoldKeys = new AtomicLong();
        private final Seldom lines = new Seldom(BETWEEN_LINES);
    }
}
