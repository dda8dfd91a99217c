package dev.weir.bench.load;

/** A measurement cannot be made. The message is a sentence for whoever asked for it. */
public final class BenchException extends RuntimeException {

    /** Creates the exception. */
    public BenchException(String message) {
        super(message);
    }
}
