package dev.weir.limit;

/**
 * Counts hits in windows aligned to the Unix epoch: the model that memory uses and that fixed_window.lua mirrors.
 *
 * <p>The state is one whole number below 2^53, exact in a double and in reach of INCRBY: the window's number modulo
 * 1024 above 43 bits of count. 0 is a counter that does not exist.
 *
 * <pre>
 *     state = (window mod 1024) * 2^43 + count         window = floor(now / windowMicros)
 * </pre>
 *
 * <p>A count of another window reads as zero, so that a counter that outlives its window (a Redis key lives on during
 * the millisecond of its expiry) never carries hits over a boundary. One exception: a count of the <em>next</em> window
 * stays in force, because it means that time stepped back over the boundary, and forgetting it would admit the quota
 * again. A clock that steps back further finds an empty counter; a counter can therefore be stuck for one window at
 * the most.
 *
 * <p>Refused hits count like admitted ones, as in envoyproxy/ratelimit. Counts saturate just below 2^43.
 */
public final class FixedWindowModel {
    private static final int COUNT_BITS = 43;
    private static final long MAX_COUNT = (1L << COUNT_BITS) - 1;
    private static final long WINDOWS = 1024;

    private FixedWindowModel() {}

    /**
     * Decides {@code times} equal checks of {@code hits} each, in order, against {@code quota}.
     *
     * @param state the counter's state, 0 if it does not exist
     * @param hits what each check asks for; 0 looks: the state stays as it is
     * @param times how many checks there are, at least 1
     * @param now the instant, in microseconds since the Unix epoch
     */
    public static Evaluation evaluate(long state, Quota quota, long hits, long times, long now) {
        long window = windowInForce(state, quota, now);
        long count = countIn(state, window);
        long limit = quota.hits();
        long admitted;
        if (hits == 0) {
            admitted = count <= limit ? times : 0;
        } else {
            admitted = Math.clamp((limit - count) / hits, 0, times);
        }
        long left = Math.max(0, limit - count - admitted * hits);
        long end = endOf(window, quota, now);
        long after = hits == 0 ? state : pack(window, Math.min(MAX_COUNT, count + times * hits));
        return new Evaluation(admitted, left, end, end, after);
    }

    /**
     * Gives {@code hits} back: the count sinks, never below zero, and a counter that does not exist or belongs to
     * another window stays as it is.
     *
     * @param state the counter's state, 0 if it does not exist
     * @param now the instant, in microseconds since the Unix epoch
     * @return admitted, with what is left after the refund
     */
    public static Evaluation refund(long state, Quota quota, long hits, long now) {
        long window = windowInForce(state, quota, now);
        long count = countIn(state, window);
        long after = Math.max(0, count - hits);
        long end = endOf(window, quota, now);
        return new Evaluation(
                1, Math.max(0, quota.hits() - after), end, end, after == count ? state : pack(window, after));
    }

    /** Returns how long a counter last written at {@code now} still matters, in microseconds. */
    public static long retentionMicros(long state, Quota quota, long now) {
        return endOf(windowInForce(state, quota, now), quota, now);
    }

    /** The window that counts now: the clock's, or the next one if the state is already in it. */
    private static long windowInForce(long state, Quota quota, long now) {
        long window = Math.floorDiv(now, quota.windowMicros());
        return state >>> COUNT_BITS == Math.floorMod(window + 1, WINDOWS) && countOf(state) > 0 ? window + 1 : window;
    }

    private static long countIn(long state, long window) {
        return state >>> COUNT_BITS == Math.floorMod(window, WINDOWS) ? countOf(state) : 0;
    }

    private static long countOf(long state) {
        return state & MAX_COUNT;
    }

    private static long endOf(long window, Quota quota, long now) {
        return (window + 1) * quota.windowMicros() - now;
    }

    private static long pack(long window, long count) {
        return Math.floorMod(window, WINDOWS) << COUNT_BITS | count;
    }
}
