package dev.weir.grpc;

/** Listens to no call. */
public final class DeafCalls implements CallListener {
    @Override
    public void shouldRateLimit(long nanos) {}

    @Override
    public void healthCheck(long nanos) {}
}
