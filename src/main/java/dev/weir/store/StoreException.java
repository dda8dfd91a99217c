package dev.weir.store;

/** The store could not answer: gone, slow, or unable to count on the plan's counters. What it counted is unknown. */
public final class StoreException extends RuntimeException {

    /** Creates the failure with a message for the operator. */
    public StoreException(String message) {
        // Under an outage there is one for each request, so there is no stack trace to fill in; the cause has its own.
        super(message, null, false, false);
    }

    /** Creates the failure with a message for the operator and what the library said. */
    public StoreException(String message, Throwable cause) {
        super(message, cause, false, false);
    }
}
