package dev.weir.testing;

/** An error that Redis answered a command with; the message is Redis's own, for instance {@code WRONGTYPE ...}. */
public final class RedisErrorReply extends RuntimeException {

    RedisErrorReply(String message) {
        super(message);
    }
}
