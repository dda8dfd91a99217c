package dev.weir.request;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/**
 * The answer to a whole request.
 *
 * @param isOver whether the request shall be refused
 * @param statuses one for each descriptor, in the request's order
 * @param waitMicros how long the caller should wait, in microseconds; 0 if it may go at once. If refused: until its limits would admit
 *     it, if nobody else came. Too short if the request names one counter twice; without meaning if it asks for more than a limit has. If
 *     it passes: how long a leaky bucket keeps it
 * @param headers for the response to the caller's own client
 * @param metadata dynamic metadata: strings, numbers ({@link Double}), booleans, lists and maps; empty if there is none
 */
public record Verdict(
        boolean isOver, List<Status> statuses, long waitMicros, List<Header> headers, Map<String, Object> metadata) {

    public Verdict {
        statuses = List.copyOf(statuses);
        headers = List.copyOf(headers);
    }

    /** Returns how long the caller should wait, as {@link #waitMicros} has it. */
    public Duration waitFor() {
        return Duration.of(waitMicros, ChronoUnit.MICROS);
    }
}
