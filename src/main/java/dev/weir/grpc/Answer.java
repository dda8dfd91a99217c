package dev.weir.grpc;

import dev.weir.limit.Unit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a rate limit service answered, in as many words as the protocol has.
 *
 * @param isOver whether the request is over the limit
 * @param statuses one for each descriptor
 */
public record Answer(boolean isOver, List<Status> statuses) {

    public Answer {
        statuses = List.copyOf(statuses);
    }

    /**
     * The answer to one descriptor.
     *
     * @param isOver whether the descriptor is over its limit
     * @param limit the limit that decided, or null if none did
     * @param remaining hits left
     * @param resetSeconds seconds until the limit resets; 0 if none decided
     */
    public record Status(boolean isOver, @Nullable Limit limit, long remaining, long resetSeconds) {}

    /**
     * A limit as it is told.
     *
     * @param hits how many in one window
     * @param unit the window, or null if it is as long as no unit: the protocol has no word for it then
     * @param name empty if it has none
     */
    public record Limit(long hits, @Nullable Unit unit, String name) {}
}
