package dev.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One question to a Redis through any port, as a client asks it. */
final class Ping {

    private Ping() {}

    /** Returns the answer to PING, or throws what went wrong. */
    static @Nullable Object through(int port) {
        return through(port, Eventually.DEADLINE);
    }

    static @Nullable Object through(int port, Duration timeout) {
        try (var connection = new RespConnection("127.0.0.1", port, timeout)) {
            return connection.ask("PING");
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }
}
