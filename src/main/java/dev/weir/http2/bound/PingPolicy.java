package dev.weir.http2.bound;

import java.util.concurrent.TimeUnit;

/**
 * How often a caller may ask whether we are still there: once a second, with some patience, and afresh after each answer.
 *
 * <p>The way takes now more and now less, so of pings that are sent once a second some come sooner after each other. None of
 * those is counted as the last one, so the next comes in time, and makes up for it.
 */
public final class PingPolicy {
    private static final long FASTEST_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int PATIENCE = 2;

    private boolean hasPinged;
    private long lastNanos;
    private int tooSoon;

    /** Creates the account of a caller who has said nothing yet. */
    public PingPolicy() {}

    /** Notes a ping, and returns whether it was one too many. */
    public boolean isTooMany(long nowNanos) {
        if (hasPinged && nowNanos - lastNanos < FASTEST_NANOS) {
            tooSoon++;
            return tooSoon > PATIENCE;
        }
        hasPinged = true;
        lastNanos = nowNanos;
        tooSoon = Math.max(0, tooSoon - 1);
        return false;
    }

    /** Forgets the pings before an answer: clients ping to learn how fast the way is while answers come. */
    public void answered() {
        hasPinged = false;
        tooSoon = 0;
    }
}
