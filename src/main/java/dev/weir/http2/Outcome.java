package dev.weir.http2;

import org.jspecify.annotations.Nullable;

/**
 * How a call ended.
 *
 * @param code gRPC's number of a status; 0 is OK
 * @param message for whoever reads the caller's log; null if there is nothing to say
 */
public record Outcome(int code, @Nullable String message) {
    /** The end of a call that went well. */
    public static final Outcome OK = new Outcome(0, null);

    static final int CANCELLED = 1;
    static final int DEADLINE_EXCEEDED = 4;
    static final int RESOURCE_EXHAUSTED = 8;
    static final int UNIMPLEMENTED = 12;
    static final int INTERNAL = 13;
}
