package dev.weir.http2;

import dev.weir.call.Calls;
import dev.weir.call.Tracer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a port answers.
 *
 * @param answered by us: the calls of each path, {@code /service/method}
 * @param others every other call, of methods that do not exist too
 * @param maxMessageBytes of a message of a caller
 * @param tracer says which calls are followed; null if none is, ever
 */
public record Methods(
        Map<String, Calls> answered,
        Calls others,
        int maxMessageBytes,
        @Nullable Tracer tracer) {
    public Methods {
        answered = Map.copyOf(answered);
    }

    /** Creates what a port answers where no call is followed. */
    public Methods(Map<String, Calls> answered, Calls others, int maxMessageBytes) {
        this(answered, others, maxMessageBytes, null);
    }

    Calls of(String path) {
        return answered.getOrDefault(path, others);
    }
}
