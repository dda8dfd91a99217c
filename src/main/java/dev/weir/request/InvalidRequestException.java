package dev.weir.request;

/** A caller's mistake: the question cannot be asked like this, and nothing was touched. The message names the bound. */
public final class InvalidRequestException extends RuntimeException {

    /** Creates the mistake with a message for the caller. */
    public InvalidRequestException(String message) {
        // An answer, not a defect: many of them must stay cheap, so there is no stack trace to fill in.
        super(message, null, false, false);
    }
}
