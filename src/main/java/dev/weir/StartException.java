package dev.weir;

/** The service cannot start as it was asked to. The message is a sentence for the operator. */
final class StartException extends Exception {

    StartException(String message) {
        super(message);
    }
}
