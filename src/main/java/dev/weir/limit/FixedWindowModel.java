package dev.weir.limit;

import org.jspecify.annotations.Nullable;

/**
 * Counts hits in windows aligned to the Unix epoch. Mirrored by fixed_window.lua.
 *
 * <p>The state is one whole number below 2^53, exact in a double and in reach of INCRBY: the window's number modulo
 * 1023, from 1 on, above 43 bits of count. What is below 2^43 is no state: 0 is a counter that does not exist, and hits that
 * were added to such a one without looking are in no window.
 *
 * <pre>
 *     state = (window mod 1023 + 1) * 2^43 + count     window = floor(now / windowMicros)
 * </pre>
 *
 * <p>A count of another window reads as zero, so that a counter that outlives its window (a Redis key lives on during
 * the millisecond of its expiry) never carries hits over a boundary. One exception: a count of the <em>next</em> window
 * stays in force, because it means that time stepped back over the boundary, and forgetting it would admit the quota
 * again. A clock that steps back further finds an empty counter; a counter can therefore be stuck for one window
 * longer at the most.
 *
 * <p>By default refused hits count like admitted ones, as in envoyproxy/ratelimit. Counts saturate at 2^42:
 * what is added without looking ({@link #goesOn}) finds as much room above them.
 */
public final class FixedWindowModel implements Model {
    private static final int COUNT_BITS = 43;
    private static final long MAX_COUNT = (1L << COUNT_BITS) - 1;
    private static final long FULL = 1L << 42;
    private static final long WINDOWS = 1023;

    private final @Nullable State before;
    private long limit;
    private final long windowMicros;
    private final long now;
    private final long window;
    private long count;
    private boolean isChanged;

    FixedWindowModel(@Nullable State before, Quota quota, long now) {
        this.before = before;
        this.limit = quota.hits();
        this.windowMicros = quota.windowMicros();
        this.now = now;
        long packed = before instanceof Count(long value) ? value : 0;
        long clock = Math.floorDiv(now, windowMicros);
        this.window = isIn(packed, clock + 1) ? clock + 1 : clock;
        this.count = countIn(packed, window);
    }

    private static long countIn(long packed, long window) {
        return isIn(packed, window) ? packed & MAX_COUNT : 0;
    }

    private static boolean isIn(long packed, long window) {
        return packed >>> COUNT_BITS == numberOf(window);
    }

    /** Returns what a counter holds when its window begins: no hits, in the window that goes on then. */
    public static long begun(long windowMicros, long now) {
        return numberOf(Math.floorDiv(now, windowMicros)) << COUNT_BITS;
    }

    private static long numberOf(long window) {
        return Math.floorMod(window, WINDOWS) + 1;
    }

    /**
     * Returns whether a counter that holds {@code packed} takes hits by adding them to it, as INCRBY does: its window goes on,
     * and they have room above its count.
     */
    public static boolean goesOn(long packed, long hits, long windowMicros, long now) {
        long clock = Math.floorDiv(now, windowMicros);
        return (isIn(packed, clock) || isIn(packed, clock + 1)) && (packed & MAX_COUNT) + hits <= MAX_COUNT;
    }

    @Override
    public void under(Limit other) {
        limit = other.quota().hits();
    }

    @Override
    public long left() {
        return Math.max(0, limit - count);
    }

    @Override
    public boolean isOver() {
        return count > limit;
    }

    @Override
    public void take(long hits) {
        count = Math.min(FULL, count + hits);
        isChanged = true;
    }

    @Override
    public void give(long hits) {
        isChanged |= count > 0 && hits > 0;
        count = Math.max(0, count - hits);
    }

    @Override
    public void giveBack(long hits, long chargedAt) {
        if (Math.floorDiv(chargedAt, windowMicros) == window) {
            give(hits);
        }
    }

    @Override
    public long at() {
        return Math.max(now, window * windowMicros);
    }

    @Override
    public long resetMicros() {
        return (window + 1) * windowMicros - now;
    }

    @Override
    public long retryMicros(long hits) {
        return resetMicros();
    }

    @Override
    public @Nullable State state() {
        if (!isChanged) {
            return before;
        }
        return new Count(numberOf(window) << COUNT_BITS | Math.min(FULL, count));
    }

    /**
     * What a counter in fixed windows holds.
     *
     * @param packed window and count, as above
     */
    public record Count(long packed) implements State {
        @Override
        public long bytes() {
            return 16;
        }
    }
}
