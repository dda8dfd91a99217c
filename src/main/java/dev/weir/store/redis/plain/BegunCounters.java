package dev.weir.store.redis.plain;

import dev.weir.limit.FixedWindowModel;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Merged;
import java.util.List;

/**
 * Remembers which counters Redis holds in a window that goes on, so that a hit need only be added there.
 *
 * <p>A guess: what is forgotten goes the long way once more, and what is wrongly remembered is seen by its count and goes the
 * long way afterwards. So a mark may be small (12 bits of the key's hash and the time until which it holds), the oldest gives
 * way to a new one where eight share a place, and threads read and write without asking each other: an int is never torn.
 */
public final class BegunCounters {
    /** How far a count must be from its bounds: further than all hits can bring it that are under way. The script stops there. */
    static final long FAR = 1L << 42;

    /** The most hits that are added at once: a count comes near its bounds only if more are under way than can be. */
    private static final long MOST_HITS = 1 << 20;

    private static final int PLACES_BITS = 18;
    private static final int WAYS = 8; // half a line of a processor's cache
    private static final int PRINT_SHIFT = 20;
    private static final int TICK_SHIFT = 24; // a tick is 2^24 ns, 17 ms
    private static final int TICKS = (1 << PRINT_SHIFT) - 1;
    private static final int MOST_TICKS = 1 << 18; // 73 minutes, a quarter of the time after which ticks come again
    private static final int NONE = 0;
    private static final int SWEEPS = 512;
    private static final long MICRO = 1_000;
    private static final long MOST_MICROS = ((long) (MOST_TICKS - 1) << TICK_SHIFT) / MICRO;

    private final int[] marks = new int[WAYS << PLACES_BITS];
    private volatile boolean isOpen;
    private int swept;

    /**
     * Notes whether Redis answers plain calls so that they can be read: some proxies before it, and some users of it, may not
     * ask for the time. Until it does, and while it does not, no counter counts as begun.
     */
    public void open(boolean isReadable) {
        if (isOpen != isReadable) { // what is only read stays in every processor's cache
            isOpen = isReadable;
        }
    }

    /** Returns whether plain calls are of use. */
    public boolean isOpen() {
        return isOpen;
    }

    /**
     * Returns whether hits of all these checks need only be added to their counters, as far as is known.
     *
     * @param nowNanos as {@link System#nanoTime} has it
     */
    public boolean areBegun(List<Merged> checks, long nowNanos) {
        if (!isOpen) {
            return false;
        }
        for (int i = 0; i < checks.size(); i++) { // indexed: an iterator for each batch would be garbage
            Merged merged = checks.get(i);
            if (!merged.isPlain()
                    || merged.hits() > MOST_HITS
                    || !isBegun(merged.check().key(), nowNanos)) {
                return false;
            }
        }
        return true;
    }

    private boolean isBegun(CounterKey key, long nowNanos) {
        int hash = spread(key.hashCode());
        int first = placeOf(hash);
        int print = printOf(hash);
        int now = tick(nowNanos);
        for (int i = first; i < first + WAYS; i++) {
            if (marks[i] >>> PRINT_SHIFT == print && left(marks[i], now) > 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Notes what a counter holds after a hit: nothing, if its window has ended or its count nears its bounds.
     *
     * @param after what the counter holds, as {@link FixedWindowModel} packs it
     * @param now by Redis's clock, microseconds since the Unix epoch
     * @param nowNanos the same instant or an earlier one, as {@link System#nanoTime} has it
     */
    public void counted(Check check, long after, long now, long nowNanos) {
        long window = check.limit().quota().windowMicros();
        if (FixedWindowModel.goesOn(after, FAR, window, now)) {
            begun(check.key(), nowNanos, window - Math.floorMod(now, window));
        } else {
            forget(check.key());
        }
    }

    private void begun(CounterKey key, long nowNanos, long micros) {
        int hash = spread(key.hashCode());
        int first = placeOf(hash);
        int now = tick(nowNanos);
        int until = tick(nowNanos + Math.min(micros, MOST_MICROS) * MICRO);
        if (until == now) {
            return;
        }
        int mark = printOf(hash) << PRINT_SHIFT | until;
        int place = placeFor(mark, first, now);
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

    /** Forgets a counter. */
    public void forget(CounterKey key) {
        int hash = spread(key.hashCode());
        int first = placeOf(hash);
        for (int i = first; i < first + WAYS; i++) {
            if (marks[i] >>> PRINT_SHIFT == printOf(hash)) {
                marks[i] = NONE;
            }
        }
    }

    /**
     * Clears some of the marks that hold no more: else they would seem to hold again when their ticks come again, and what is
     * noted then would have no place. Once a second by one thread clears them all in nine minutes, of the 220 that there are.
     */
    public void sweep(long nowNanos) {
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

    private static int placeOf(int hash) {
        return (hash >>> (Integer.SIZE - PLACES_BITS)) * WAYS;
    }

    private static int printOf(int hash) {
        return hash & ((1 << (Integer.SIZE - PRINT_SHIFT)) - 1);
    }

    /** The finalizer of MurmurHash3: the hash of a key follows its last bytes, and hash tables of Java know how to live with it. */
    private static int spread(int hash) {
        int mixed = (hash ^ hash >>> 16) * 0x85EB_CA6B;
        mixed = (mixed ^ mixed >>> 13) * 0xC2B2_AE35;
        return mixed ^ mixed >>> 16;
    }
}
