package dev.weir.request;

import java.util.List;
import java.util.Map;

/**
 * The answer to a whole request.
 *
 * @param isOver whether the request shall be refused
 * @param statuses one for each descriptor, in the request's order
 * @param headers for the response to the caller's own client
 * @param metadata dynamic metadata: strings, numbers ({@link Double}), booleans, lists and maps; empty if there is none
 */
public record Verdict(boolean isOver, List<Status> statuses, List<Header> headers, Map<String, Object> metadata) {

    public Verdict {
        statuses = List.copyOf(statuses);
        headers = List.copyOf(headers);
    }
}
