package dev.weir.store.redis.plain;

import dev.weir.limit.FixedWindowModel;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;

/**
 * Remembers which counters Redis holds in a window that goes on, so that a hit need only be added there.
 *
 * <p>A guess: what is forgotten is begun once more, which does nothing to a counter that is there, and what is wrongly
 * remembered is seen by its count and goes by the script afterwards. So a mark may be small: 12 bits of the key's hash, and the
 * time until which it holds. Eight share a place, and whoever ends first gives way to a new one. Threads read and write without
 * asking each other: an int is never torn.
 */
final class BegunCounters {
    /** How far a count must be from its bounds: further than all hits can bring it that are under way. The script stops there. */
    static final long FAR = 1L << 42;

    private static final int PLACES_BITS = 18;
    private static final int WAYS = 8; // half a line of a processor's cache
    private static final int PRINT_SHIFT = 20;
    private static final int TICK_SHIFT = 24; // a tick is 2^24 ns, 17 ms
    private static final int TICKS = (1 << PRINT_SHIFT) - 1;
    private static final int MOST_TICKS = 1 << 18; // 73 minutes, a quarter of the time after which ticks come again
    private static final int TICKS_KEPT =
            62; // the second for which Redis keeps a counter after its window, and two more
    private static final int NONE = 0;
    private static final int SWEEPS = 512;
    private static final long MICRO = 1_000;
    private static final long MOST_MICROS = ((long) (MOST_TICKS - 1) << TICK_SHIFT) / MICRO;

    private final int[] marks = new int[WAYS << PLACES_BITS];
    private int swept;

    /**
     * Returns whether a counter goes on, as far as is known.
     *
     * @param nowNanos as {@link System#nanoTime} has it
     */
    boolean isBegun(CounterKey key, long nowNanos) {
        return left(markOf(key), tick(nowNanos)) > 0;
    }

    /** Returns whether a counter's window has ended so short a time ago that Redis still keeps it. */
    boolean hasJustEnded(CounterKey key, long nowNanos) {
        int mark = markOf(key);
        int now = tick(nowNanos);
        return mark != NONE && left(mark, now) == 0 && ((now - mark) & TICKS) <= TICKS_KEPT;
    }

    private int markOf(CounterKey key) {
        long hash = key.hash();
        int first = placeOf(hash);
        for (int i = first; i < first + WAYS; i++) {
            if (marks[i] >>> PRINT_SHIFT == printOf(hash) && marks[i] != NONE) {
                return marks[i];
            }
        }
        return NONE;
    }

    /**
     * Notes what a counter holds after a hit, if its window goes on and its count is far from its bounds; else it is avoided.
     *
     * @param after what the counter holds, as {@link FixedWindowModel} packs it
     * @param now by Redis's clock, microseconds since the Unix epoch
     * @param nowNanos the same instant or an earlier one, as {@link System#nanoTime} has it
     */
    void counted(Check check, long after, long now, long nowNanos) {
        long window = check.limit().quota().windowMicros();
        if (FixedWindowModel.goesOn(after, FAR, window, now)) {
            mark(check.key(), nowNanos, Math.min(window - Math.floorMod(now, window), MOST_MICROS));
        } else {
            avoid(check.key(), nowNanos);
        }
    }

    /** Lets a counter look as if its window had just ended: for a second, none of its hits goes the short way. */
    void avoid(CounterKey key, long nowNanos) {
        mark(key, nowNanos, 0);
    }

    private void mark(CounterKey key, long nowNanos, long micros) {
        long hash = key.hash();
        int now = tick(nowNanos);
        int mark = printOf(hash) << PRINT_SHIFT | tick(nowNanos + micros * MICRO);
        int place = placeFor(mark, placeOf(hash), now);
        if (marks[place] != mark) { // a line that is only read stays in every processor's cache
            marks[place] = mark;
        }
    }

    /** The counter's own place if it has one, else that of whoever ends first. */
    private int placeFor(int mark, int first, int now) {
        int soonest = first;
        for (int i = first; i < first + WAYS; i++) {
            if (marks[i] >>> PRINT_SHIFT == mark >>> PRINT_SHIFT) {
                return i;
            }
            if (left(marks[i], now) < left(marks[soonest], now)) {
                soonest = i;
            }
        }
        return soonest;
    }

    /**
     * Clears some of the marks that hold no more: else they would seem to hold again when their ticks come again, and what is
     * noted then would have no place. Once a second by one thread clears them all in nine minutes, and ticks come again after 220.
     */
    void sweep(long nowNanos) {
        int now = tick(nowNanos);
        for (int i = 0; i < marks.length / SWEEPS; i++) {
            if (marks[swept] != NONE && left(marks[swept], now) == 0) {
                marks[swept] = NONE;
            }
            swept = (swept + 1) % marks.length;
        }
    }

    /** Returns for how many ticks a mark holds, 0 if no more: ticks come again, and most of their circle is the past. */
    private static int left(int mark, int now) {
        if (mark == NONE) {
            return 0;
        }
        int left = (mark - now) & TICKS;
        return left <= MOST_TICKS ? left : 0;
    }

    private static int tick(long nanos) {
        return (int) (nanos >>> TICK_SHIFT) & TICKS;
    }

    private static int placeOf(long hash) {
        return (int) (hash >>> (Long.SIZE - PLACES_BITS)) * WAYS;
    }

    private static int printOf(long hash) {
        return (int) hash & ((1 << (Integer.SIZE - PRINT_SHIFT)) - 1);
    }
}
