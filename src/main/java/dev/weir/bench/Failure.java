package dev.weir.bench;

import io.netty.handler.codec.http2.Http2Error;
import java.util.List;

/**
 * Why a request got no verdict, or none of use.
 *
 * @param kind by which failures are counted: the name of a gRPC status, or one of the words of {@link Totals#errors()}
 * @param sentence what happened
 */
record Failure(String kind, String sentence) {
    static final Failure LATE = new Failure("late", "no answer within the deadline");
    static final Failure UNSENT = new Failure("unsent", "the service takes requests more slowly than they come");
    static final Failure UNANSWERED = new Failure("unanswered", "no answer until the end");

    /** By number, as gRPC has them. */
    private static final List<String> STATUSES = List.of(
            "OK",
            "CANCELLED",
            "UNKNOWN",
            "INVALID_ARGUMENT",
            "DEADLINE_EXCEEDED",
            "NOT_FOUND",
            "ALREADY_EXISTS",
            "PERMISSION_DENIED",
            "RESOURCE_EXHAUSTED",
            "FAILED_PRECONDITION",
            "ABORTED",
            "OUT_OF_RANGE",
            "UNIMPLEMENTED",
            "INTERNAL",
            "UNAVAILABLE",
            "DATA_LOSS",
            "UNAUTHENTICATED");

    /** Returns the failure that the trailers of an answer tell. */
    static Failure status(String number, String message) {
        String name = number.matches("\\d{1,2}") && Integer.parseInt(number) < STATUSES.size()
                ? STATUSES.get(Integer.parseInt(number))
                : "UNKNOWN";
        return new Failure(name, message.isEmpty() ? name : name + ": " + message);
    }

    /** Returns the failure of an answer that makes no sense, or of a connection. */
    static Failure broken(String sentence) {
        return new Failure("broken", sentence);
    }

    /** Returns the failure of a connection that the service has ended with an error code of HTTP/2, and what it said. */
    static Failure dismissed(long code, String text) {
        var error = Http2Error.valueOf(code);
        String name = error == null ? "code " + code : error.name();
        return broken("the service ended the connection: " + (text.isEmpty() ? name : name + ": " + text));
    }

    /** Returns the failure of a stream that the service has reset with an error code of HTTP/2. */
    static Failure reset(long code) {
        return new Failure("reset", "the stream was reset with code " + code);
    }
}
