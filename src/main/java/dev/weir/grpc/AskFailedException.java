package dev.weir.grpc;

/** A service could not be asked, or did not answer. The message is for people. */
public final class AskFailedException extends Exception {

    AskFailedException(String message) {
        super(message);
    }
}
