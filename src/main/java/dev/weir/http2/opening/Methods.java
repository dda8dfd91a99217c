package dev.weir.http2.opening;

import dev.weir.call.Calls;
import dev.weir.call.Refusal;
import dev.weir.call.Tracer;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a port answers.
 *
 * @param answered by us: the calls of each path, {@code /service/method}
 * @param others every other call, of methods that do not exist too
 * @param maxMessageBytes of a message of a caller
 * @param tracer says which calls are followed; null if none is, ever
 * @param refusals is told of each call that is refused before it reaches any of them
 */
public record Methods(
        Map<String, Calls> answered,
        Calls others,
        int maxMessageBytes,
        @Nullable Tracer tracer,
        Consumer<Refusal> refusals) {
    public Methods {
        answered = Map.copyOf(answered);
    }

    /** Returns the calls of a path. */
    public Calls of(String path) {
        return answered.getOrDefault(path, others);
    }
}
