package dev.weir.store;

/** The store could not answer: gone, slow, or unable to count on the plan's counters. What it counted is unknown. */
public final class StoreException extends RuntimeException {
    private final boolean isAnswer;

    /** Creates the failure with a message for the operator. */
    public StoreException(String message) {
        this(message, false);
    }

    private StoreException(String message, boolean isAnswer) {
        // Under an outage there is one for each request, so there is no stack trace to fill in.
        super(message, null, false, false);
        this.isAnswer = isAnswer;
    }

    /** Creates a failure of which the store itself has told, with a message for the operator. */
    public static StoreException ofAnswer(String message) {
        return new StoreException(message, true);
    }

    /** Returns whether the store is there: it has answered, though not with what was asked for. */
    public boolean isAnswer() {
        return isAnswer;
    }
}
