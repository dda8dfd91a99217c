package dev.weir.decide;

import java.util.concurrent.CompletionException;

/**
 * Carries a failure to whoever waits for the verdict. A stage would wrap what its function throws all the same, in an exception with
 * a stack trace, and under an outage or in an overload there is one for each request.
 */
final class CarriedException extends CompletionException {

    CarriedException(RuntimeException failure) {
        super(failure.getMessage(), failure);
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
