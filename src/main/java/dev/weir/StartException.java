package dev.weir;

/** Weir cannot start as it was asked to. The message is for the operator: a sentence, or a line for each mistake. */
public final class StartException extends Exception {

    StartException(String message) {
        super(message);
    }
}
