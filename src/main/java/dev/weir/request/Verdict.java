package dev.weir.request;

import java.util.List;
import java.util.Map;

/**
 * The answer to a whole request.
 *
 * @param isOver whether the request shall be refused
 * @param statuses one for each descriptor, in the request's order
 * @param waitMicros how long the caller should wait, in microseconds: of a request that is refused until its limits would admit it if
 *     nobody else came, which of more hits than a limit has they never will, and of a counter that it names twice later; of one that passes as long as a leaky bucket keeps it; 0 if it
 *     may go at once
 * @param headers for the response to the caller's own client
 * @param metadata dynamic metadata: strings, numbers ({@link Double}), booleans, lists and maps; empty if there is none
 */
public record Verdict(
        boolean isOver, List<Status> statuses, long waitMicros, List<Header> headers, Map<String, Object> metadata) {

    public Verdict {
        statuses = List.copyOf(statuses);
        headers = List.copyOf(headers);
    }
}
