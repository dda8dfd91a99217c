package dev.weir.limit;

import org.jspecify.annotations.Nullable;

/**
 * One counter under one limit at one instant: what an algorithm does, to the last hit.
 *
 * <p>A model is made of what the counter holds, asked, changed by the checks of that instant, and asked for what the counter
 * holds then. It reads no clock. Instants and durations are whole microseconds, hits are whole. The memory store counts with
 * it, and the file of the Redis script that bears its name mirrors it.
 *
 * <p>Time can step back. State of up to one window ahead of {@code now} stays in force, as if time stood still until it is
 * reached; state further ahead is as good as none, so that no counter is stuck for longer.
 */
public sealed interface Model permits FixedWindowModel, SlidingWindowModel, SlidingLogModel, BucketModel, GcraModel {

    /**
     * Returns the counter as it stands now.
     *
     * @param state what it holds, or null if it does not exist
     * @param limit what it is held against, by the algorithm that wrote the state
     * @param now microseconds since the Unix epoch
     */
    static Model at(@Nullable State state, Limit limit, long now) {
        Quota quota = limit.quota();
        return switch (limit.algorithm()) {
            case Algorithm.FixedWindow _ -> new FixedWindowModel(state, quota, now);
            case Algorithm.SlidingWindow(int parts) -> new SlidingWindowModel(state, quota, parts, now);
            case Algorithm.SlidingLog _ -> new SlidingLogModel(state, quota, now);
            case Algorithm.TokenBucket _, Algorithm.LeakyBucket _ ->
                new BucketModel(state, quota, limit.capacity(), now);
            case Algorithm.Gcra _ -> new GcraModel(state, quota, limit.capacity(), now);
        };
    }

    /** Holds the counter against another limit from here on, of the same algorithm and window: limits can alternate. */
    void under(Limit limit);

    /** Returns how many hits one check could have now. */
    long left();

    /** Returns whether the counter holds more than this limit allows, so that not even 0 hits fit. */
    boolean isOver();

    /** Counts hits; more than are left only where the algorithm can charge refused ones. */
    void take(long hits);

    /** Takes hits back, the newest first, down to none. */
    void give(long hits);

    /**
     * Takes back what one check charged, as far as it still weighs: nothing in another window, and no more than is not
     * earned back since.
     *
     * @param chargedAt what {@link #at} said then
     */
    void giveBack(long hits, long chargedAt);

    /** Returns the instant at which hits are counted: now, or the state's own if time stepped back. */
    long at();

    /** Returns the time until the counter is as if untouched. */
    long resetMicros();

    /**
     * Returns by how much {@link #resetMicros} was rounded up, in microseconds divided by the quota's hits: what the resets
     * of equal checks are derived from.
     */
    default long slack() {
        return 0;
    }

    /**
     * Returns the time until a check of so many hits would be admitted. Where it never would be, the time until the counter
     * is as if untouched, or the window if it is.
     */
    long retryMicros(long hits);

    /** Returns what the counter holds now, the very state it began with if nothing changed; null for nothing. */
    @Nullable
    State state();
}
