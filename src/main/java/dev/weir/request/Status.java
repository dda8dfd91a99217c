package dev.weir.request;

import dev.weir.limit.Quota;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one descriptor.
 *
 * @param isOver whether the descriptor is over its limit
 * @param quota the limit that decided, or null where no rule did or the rule is unlimited
 * @param name the limit's name, empty if it has none
 * @param remaining hits left, 0 to 2^32-1; 2^32-1 for an unlimited rule, and 0 where no rule limits what passes
 * @param resetMicros microseconds until the limit resets, at least 1, and of one that refuses until it would not; 0 where there is no
 *     limit to reset
 */
public record Status(boolean isOver, @Nullable Quota quota, String name, long remaining, long resetMicros) {
    /** The answer to a descriptor that no rule limits. */
    public static final Status NO_RULE = new Status(false, null, "", 0, 0);

    /** The answer to a descriptor whose rule is unlimited. */
    public static final Status UNLIMITED = new Status(false, null, "", Quota.MAX_HITS, 0);

    private static final long MICROS_PER_SECOND = 1_000_000;

    /** Returns the time until the limit resets, as {@link #resetMicros} has it. */
    public Duration resetAfter() {
        return Duration.of(resetMicros, ChronoUnit.MICROS);
    }

    /** Returns the whole seconds until the limit resets, as they are told on the wire: at least 1; 0 where there is no limit to reset. */
    public long resetSeconds() {
        return Math.ceilDiv(resetMicros, MICROS_PER_SECOND);
    }
}
