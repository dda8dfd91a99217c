package dev.weir.grpc;

import dev.weir.call.Refusal;

/** Is told of calls that were answered, well or not, and of those that their callers gave up. Called from event loops: must not block, must not throw. */
public interface CallListener {

    /**
     * ShouldRateLimit was answered.
     *
     * @param nanos from the request being there until the answer was handed to its connection; 0 if nobody looked at it
     */
    void shouldRateLimit(long nanos);

    /**
     * Health/Check was answered.
     *
     * @param nanos from the request being there until the answer was handed to its connection; 0 if nobody looked at it
     */
    void healthCheck(long nanos);

    /**
     * A call of any method was refused before anybody looked at its message; neither of the others is told of it. {@link
     * Refusal#PROTOCOL} may also be a frame that broke a call which was asked already: that one they are told of too.
     */
    void refused(Refusal why);
}
