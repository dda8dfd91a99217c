package dev.weir.http2.opening;

import dev.weir.call.Outcome;
import dev.weir.call.Refusal;
import org.jspecify.annotations.Nullable;

/** A request that is refused for its headers. One that is no call of gRPC is answered in both languages: a browser may have sent it. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Refusal why;
    private final @Nullable String httpStatus;
    private final transient Outcome outcome;

    private RefusedException(Refusal why, @Nullable String httpStatus, int code, String message) {
        // Callers cause it as often as they like, so it comes without the costly trace of calls.
        super(message, null, false, false);
        this.why = why;
        this.httpStatus = httpStatus;
        this.outcome = new Outcome(code, message);
    }

    /** Refuses a request that is no call. */
    static RefusedException noCall(Refusal why, String httpStatus, int code, String message) {
        return new RefusedException(why, httpStatus, code, message);
    }

    /** Refuses a call that cannot be answered as it wants. */
    static RefusedException call(Refusal why, int code, String message) {
        return new RefusedException(why, null, code, message);
    }

    /** Returns what is counted of it. */
    public Refusal why() {
        return why;
    }

    /** Returns the status for who speaks no gRPC, or null if the caller does. */
    public @Nullable String httpStatus() {
        return httpStatus;
    }

    /** Returns what the caller is told. */
    public Outcome outcome() {
        return outcome;
    }
}
