package dev.weir.bench;

/** A measurement cannot be made. The message is a sentence for whoever asked for it. */
final class BenchException extends RuntimeException {

    BenchException(String message) {
        super(message);
    }
}
