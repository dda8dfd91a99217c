package dev.weir.store.redis.plain;

import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;

/**
 * Counters that may have been left without an expiry.
 *
 * <p>A hit is added to a counter that is known to stand in a window. If Redis stands still, it does so when it goes on: perhaps after
 * the window's end and the second for which it keeps the counter longer. Then the hit begins a counter of no window, which
 * counts for nothing, and which nobody ends who does not hear of it, for the call was given up. So these are looked up a moment
 * later, and again until Redis has used them. A Redis that is full, or cannot save, refuses for a while; a key of another type is
 * refused for ever, and let go after an hour.
 *
 * <p>So are those that Redis said to have begun just now: the script gives them an expiry at once, but its call may fail.
 *
 * <p>Safe for use by any thread.
 */
public final class Owed {
    /** Those beyond keep no expiry until they are asked for again. */
    static final int MOST = 16_384;

    /** Of keys, whose length nothing else bounds: those beyond fare alike. */
    static final int MOST_BYTES = 16 << 20;

    private static final int MOST_AT_ONCE = 256;

    /** Of keys: a call that is larger may come back too late to be believed. */
    private static final int BYTES_AT_ONCE = 1 << 20;

    /** Until then the connections have come to themselves, or are others. */
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Whatever kept Redis from using a counter for so long is there to stay. */
    private static final long MOST_AGE_NANOS = TimeUnit.HOURS.toNanos(1);

    // Guarded by this: who has rested longest is first.
    private final SequencedMap<CounterKey, Debt> debts = new LinkedHashMap<>();
    private int bytes;

    /**
     * A counter that is owed.
     *
     * @param sinceNanos when hits were added to it
     * @param restsSinceNanos when it was looked up last, or hits were added
     */
    public record Debt(Check check, long sinceNanos, long restsSinceNanos) {}

    /** Notes a counter to which hits were added without anybody hearing of it. */
    public synchronized void add(Check check, long nowNanos) {
        boolean isNew = !debts.containsKey(check.key());
        int size = size(check);
        if (isNew && (debts.size() == MOST || size > MOST_BYTES - bytes)) {
            return;
        }
        debts.putLast(check.key(), new Debt(check, nowNanos, nowNanos));
        if (isNew) {
            bytes += size;
        }
    }

    /**
     * Returns those that have rested long enough to be looked up, in parts that share a place. They rest again, and stay until they
     * are {@link #settle settled}.
     *
     * @param place says where a counter lives
     * @param most so many parts
     */
    public List<List<Debt>> take(ToIntFunction<Check> place, int most, long nowNanos) {
        return take(place, most, REST_NANOS, nowNanos);
    }

    /** Does the same with all, however long they have rested. */
    public List<List<Debt>> takeAll(ToIntFunction<Check> place, long nowNanos) {
        return take(place, Integer.MAX_VALUE, 0, nowNanos);
    }

    private synchronized List<List<Debt>> take(ToIntFunction<Check> place, int most, long restNanos, long nowNanos) {
        letGo(nowNanos);
        List<List<Debt>> parts = new ArrayList<>();
        Map<Integer, Part> open = new HashMap<>(); // by place
        for (Debt next : debts.values()) {
            if (nowNanos - next.restsSinceNanos < restNanos) {
                continue;
            }
            int where = place.applyAsInt(next.check);
            Part part = open.get(where);
            if (part == null && parts.size() < most) {
                part = new Part();
                parts.add(part.debts);
                open.put(where, part);
            }
            if (part != null) {
                part.add(new Debt(next.check, next.sinceNanos, nowNanos));
                if (part.isFull()) {
                    open.remove(where);
                }
            }
        }
        parts.forEach(part -> part.forEach(debt -> debts.putLast(debt.check.key(), debt)));
        return parts;
    }

    /** Forgets a counter that was taken and has an expiry, unless hits were added to it since then. */
    public synchronized void settle(Debt taken) {
        if (debts.remove(taken.check.key(), taken)) {
            bytes -= size(taken.check);
        }
    }

    private void letGo(long nowNanos) {
        var all = debts.values().iterator();
        while (all.hasNext()) {
            Debt debt = all.next();
            if (nowNanos - debt.sinceNanos > MOST_AGE_NANOS) {
                all.remove();
                bytes -= size(debt.check);
            }
        }
    }

    private static int size(Check check) {
        return check.key().bytes().length;
    }

    /** What one call takes. */
    private static final class Part {
        final List<Debt> debts = new ArrayList<>();
        private int bytes;

        void add(Debt next) {
            debts.add(next);
            bytes += size(next.check);
        }

        boolean isFull() {
            return debts.size() == MOST_AT_ONCE || bytes >= BYTES_AT_ONCE;
        }
    }
}
