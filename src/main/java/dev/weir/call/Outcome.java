package dev.weir.call;

import org.jspecify.annotations.Nullable;

/**
 * How a call ended.
 *
 * @param code gRPC's number of a status; 0 is OK
 * @param message for whoever reads the caller's log, cut after {@value #LONGEST_MESSAGE} characters; null if there is nothing to say
 */
public record Outcome(int code, @Nullable String message) {
    /** What callers send and we repeat shall cost us no more than it cost them; nobody reads on here. */
    static final int LONGEST_MESSAGE = 1_000;

    /** The end of a call that went well. */
    public static final Outcome OK = new Outcome(0, null);

    /** Whoever called does not wait any more. */
    public static final int CANCELLED = 1;

    /** The deadline passed before there was an answer. */
    public static final int DEADLINE_EXCEEDED = 4;

    /** The call, or all calls together, ask for more than there is room for. */
    public static final int RESOURCE_EXHAUSTED = 8;

    /** There is no such method, or no such way of packing messages. */
    public static final int UNIMPLEMENTED = 12;

    /** What was sent breaks the rules of gRPC. */
    public static final int INTERNAL = 13;

    /** Cuts a message that is too long. */
    public Outcome {
        if (message != null && message.length() > LONGEST_MESSAGE) {
            message = message.substring(0, LONGEST_MESSAGE) + " ...";
        }
    }
}
