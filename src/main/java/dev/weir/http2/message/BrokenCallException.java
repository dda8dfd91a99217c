package dev.weir.http2.message;

import dev.weir.call.Outcome;

/** What a caller sent cannot be read as a call. */
public final class BrokenCallException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Outcome outcome;

    BrokenCallException(int code, String message) {
        // Callers cause it as often as they like, so it comes without the costly trace of calls.
        super(message, null, false, false);
        this.outcome = new Outcome(code, message);
    }

    /** Returns what the call ends with. */
    public Outcome outcome() {
        return outcome;
    }
}
