package dev.weir.testing;

import com.google.protobuf.UInt64Value;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Asks a Weir over gRPC, as Envoy would. No call waits without end: {@link #PATIENCE} bounds each. */
public final class Caller implements AutoCloseable {
    /** A caller's deadline that nothing but a hanging service meets. */
    public static final Duration PATIENCE = Duration.ofSeconds(40);

    private final ManagedChannel channel;

    private Caller(int port, ChannelCredentials credentials) {
        channel =
                Grpc.newChannelBuilderForAddress("127.0.0.1", port, credentials).build();
    }

    /** Returns a caller of {@code weir}; it connects when it asks. */
    public static Caller of(WeirProcess weir) {
        return at(weir.grpcPort());
    }

    /** Returns a caller of whoever listens on this port of the loopback interface. */
    public static Caller at(int port) {
        return new Caller(port, InsecureChannelCredentials.create());
    }

    /** Returns a caller of {@code weir} over TLS. */
    public static Caller of(WeirProcess weir, ChannelCredentials credentials) {
        return at(weir.grpcPort(), credentials);
    }

    /** Returns a caller over TLS of whoever listens on this port of the loopback interface. */
    public static Caller at(int port, ChannelCredentials credentials) {
        return new Caller(port, credentials);
    }

    /** Returns a descriptor of these keys and values, in turn. */
    public static RateLimitDescriptor descriptor(String... keysAndValues) {
        var descriptor = RateLimitDescriptor.newBuilder();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            descriptor.addEntriesBuilder().setKey(keysAndValues[i]).setValue(keysAndValues[i + 1]);
        }
        return descriptor.build();
    }

    /** Returns the descriptor with hits of its own: 0 only looks. */
    public static RateLimitDescriptor withHits(RateLimitDescriptor descriptor, long hits) {
        return descriptor.toBuilder().setHitsAddend(UInt64Value.of(hits)).build();
    }

    /** Returns a request that asks for one hit of each descriptor. */
    public static RateLimitRequest request(String domain, RateLimitDescriptor... descriptors) {
        return RateLimitRequest.newBuilder()
                .setDomain(domain)
                .addAllDescriptors(Arrays.asList(descriptors))
                .build();
    }

    /** Asks one hit of each descriptor. */
    public RateLimitResponse ask(String domain, RateLimitDescriptor... descriptors) {
        return ask(request(domain, descriptors));
    }

    /** Asks; an error becomes a {@link StatusRuntimeException}. */
    public RateLimitResponse ask(RateLimitRequest request) {
        return ask(request, PATIENCE);
    }

    /** Asks with a deadline. */
    public RateLimitResponse ask(RateLimitRequest request, Duration deadline) {
        return RateLimitServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS)
                .shouldRateLimit(request);
    }

    /** Asks one hit of one descriptor, and returns its status. */
    public DescriptorStatus hit(String domain, String... keysAndValues) {
        return ask(domain, descriptor(keysAndValues)).getStatuses(0);
    }

    /** Returns what is left for one descriptor; counts nothing. */
    public int left(String domain, String... keysAndValues) {
        return ask(domain, withHits(descriptor(keysAndValues), 0))
                .getStatuses(0)
                .getLimitRemaining();
    }

    /** Asks, and returns the error that must be the answer. */
    public Status failureOf(RateLimitRequest request) {
        return failureOf(request, PATIENCE);
    }

    /** Asks with a deadline, and returns the error that must be the answer. */
    public Status failureOf(RateLimitRequest request, Duration deadline) {
        try {
            throw new AssertionError("answered: " + ask(request, deadline));
        } catch (StatusRuntimeException e) {
            return e.getStatus();
        }
    }

    /** Returns whether the request is answered with a verdict now: for waiting until trouble is over. */
    public boolean isAnswered(RateLimitRequest request) {
        try {
            return ask(request).getStatusesCount() > 0;
        } catch (StatusRuntimeException _) {
            return false; // not yet
        }
    }

    /** Asks for the health of a service; the empty name is that of the whole server. */
    public ServingStatus health(String service) {
        return HealthGrpc.newBlockingStub(channel)
                .withDeadlineAfter(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)
                .check(HealthCheckRequest.newBuilder().setService(service).build())
                .getStatus();
    }

    /** Returns the health under both names that callers of the Go service know. */
    public List<ServingStatus> health() {
        return List.of(health(""), health("ratelimit"));
    }

    /** Returns the connection, for calls that no ordinary caller makes. */
    public ManagedChannel channel() {
        return channel;
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
