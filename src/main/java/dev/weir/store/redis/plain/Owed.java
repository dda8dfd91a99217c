package dev.weir.store.redis.plain;

import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;

/**
 * Counters that may have been left without an expiry.
 *
 * <p>A hit is added to a counter that is known to stand in a window. If Redis stands still, it does so when it goes on: perhaps after
 * the window's end and the second for which it keeps the counter longer. Then the hit begins a counter of no window, which
 * counts for nothing, and which nobody ends who does not hear of it, for the call was given up. So these are looked up a moment
 * later.
 *
 * <p>Safe for use by any thread.
 */
public final class Owed {
    /** More are not under way at once but in a store of very many threads. */
    private static final int MOST = 16_384;

    private static final int MOST_AT_ONCE = 256;

    /** Until then the connections have come to themselves, or are others. */
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Map<CounterKey, Debt> debts = new LinkedHashMap<>(); // guarded by this

    /** A counter with a window, and since when it is owed. */
    private record Debt(Check check, long sinceNanos) {}

    /** Notes a counter to which hits were added without anybody hearing of it. */
    public synchronized void add(Check check, long nowNanos) {
        if (debts.size() < MOST) {
            debts.put(check.key(), new Debt(check, nowNanos));
        }
    }

    /**
     * Takes some out that are owed long enough to be looked up, and share a place.
     *
     * @param place says where a counter lives
     * @return none if there are none
     */
    public synchronized List<Check> take(ToIntFunction<Check> place, long nowNanos) {
        List<Check> taken = new ArrayList<>();
        var all = debts.values().iterator();
        while (all.hasNext() && taken.size() < MOST_AT_ONCE) {
            Debt next = all.next();
            boolean isDue = nowNanos - next.sinceNanos > REST_NANOS;
            if (isDue && (taken.isEmpty() || place.applyAsInt(next.check) == place.applyAsInt(taken.getFirst()))) {
                taken.add(next.check);
                all.remove();
            }
        }
        return taken;
    }
}
