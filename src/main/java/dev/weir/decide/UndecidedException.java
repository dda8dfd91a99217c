package dev.weir.decide;

/** The store could not answer, so nothing was decided; what it counted is unknown. The message is for caller and operator. */
public final class UndecidedException extends RuntimeException {

    UndecidedException(String message, Throwable cause) {
        super(message, cause, false, false);
    }
}
