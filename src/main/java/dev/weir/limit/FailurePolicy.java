package dev.weir.limit;

import java.util.Locale;

/** What is answered in place of a limit whose counter cannot be asked: the store fails, or more is asked of it than it can answer. */
public enum FailurePolicy {
    /** There is no answer but an error, and the caller's own policy decides (Envoy's {@code failure_mode_deny}). */
    ERROR,

    /** The descriptor passes, as if it had no limit. */
    ALLOW,

    /** The descriptor is refused. */
    DENY,

    /** This replica's own counters decide, by its part of the limit: {@link Limit#share}. */
    LOCAL;

    /** Returns how it is written in rule files and settings. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
