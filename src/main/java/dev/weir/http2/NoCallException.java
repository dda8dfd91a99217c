package dev.weir.http2;

import dev.weir.call.Outcome;

/** A request of HTTP that is no call of gRPC. It is answered in both languages: a browser may have sent it. */
final class NoCallException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String httpStatus;
    private final transient Outcome outcome;

    NoCallException(String httpStatus, int code, String message) {
        super(message, null, false, false);
        this.httpStatus = httpStatus;
        this.outcome = new Outcome(code, message);
    }

    String httpStatus() {
        return httpStatus;
    }

    Outcome outcome() {
        return outcome;
    }
}
