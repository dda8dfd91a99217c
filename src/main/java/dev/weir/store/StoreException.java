package dev.weir.store;

/** The store could not answer: gone, slow, or unable to count on the plan's counters. What it counted is mostly unknown. */
public final class StoreException extends RuntimeException {
    private final Kind kind;

    private enum Kind {
        NO_ANSWER,
        ANSWER,
        SHUT_OUT,
        UNASKED
    }

    /** Creates the failure with a message for the operator. */
    public StoreException(String message) {
        this(message, Kind.NO_ANSWER);
    }

    private StoreException(String message, Kind kind) {
        // Under an outage there is one for each request, so there is no stack trace to fill in.
        super(message, null, false, false);
        this.kind = kind;
    }

    /** Creates a failure of which the store itself has told, with a message for the operator. */
    public static StoreException ofAnswer(String message) {
        return new StoreException(message, Kind.ANSWER);
    }

    /**
     * Creates a failure of which the store itself has told when a connection was made: it is there, and does not let us in. Each
     * plan would make a connection, to be told so again.
     */
    public static StoreException ofShutOut(String message) {
        return new StoreException(message, Kind.SHUT_OUT);
    }

    /** Creates the failure of a plan that came to no counter, so that nothing was counted, with a message for the operator. */
    public static StoreException ofUnasked(String message) {
        return new StoreException(message, Kind.UNASKED);
    }

    /** Returns whether the store is there: it has answered, though not with what was asked for. */
    public boolean isAnswer() {
        return kind == Kind.ANSWER || kind == Kind.SHUT_OUT;
    }

    /** Returns whether the store has answered that it does not let us in. */
    public boolean isShutOut() {
        return kind == Kind.SHUT_OUT;
    }

    /** Returns whether no counter was asked, so that nothing was counted. */
    public boolean isUnasked() {
        return kind == Kind.UNASKED;
    }
}
