package dev.weir.http2.bound;

import java.util.concurrent.TimeUnit;

/**
 * How often a caller may change its settings. Each change may cost a walk over all its open calls. Clients that learn how fast
 * the way is change their window a dozen times at most.
 */
public final class SettingsPolicy {
    private static final long STRETCH_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int MOST_IN_A_STRETCH = 100;

    private long startNanos;
    private int count;

    /** Creates the account of a caller who has said nothing yet. */
    public SettingsPolicy() {}

    /** Notes a change, and returns whether it was one too many. */
    public boolean isTooMany(long nowNanos) {
        if (count == 0 || nowNanos - startNanos > STRETCH_NANOS) {
            startNanos = nowNanos;
            count = 0;
        }
        count++;
        return count > MOST_IN_A_STRETCH;
    }
}
