package dev.weir.metrics;

import java.util.Locale;

/** How a request ended. */
public enum Ending {
    /** It may pass. */
    OK,
    /** It is refused. */
    OVER_LIMIT,
    /** It cannot be asked like this. */
    INVALID,
    /** The store could not answer. */
    STORE_FAILURE,
    /** There are no rules in force. */
    NO_RULES,
    /** The caller's time was up. */
    DEADLINE,
    /** There were more than can be answered in time; it was turned away at once. */
    SHED,
    /** A defect of the service kept it from an answer. */
    DEFECT;

    String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
