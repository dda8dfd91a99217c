package dev.weir.grpc;

import dev.weir.call.Refusal;

/** Listens to no call. */
public final class DeafCalls implements CallListener {
    @Override
    public void shouldRateLimit(long nanos) {}

    @Override
    public void healthCheck(long nanos) {}

    @Override
    public void refused(Refusal why) {}
}
