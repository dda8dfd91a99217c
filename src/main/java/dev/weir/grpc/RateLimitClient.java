package dev.weir.grpc;

import com.google.protobuf.UInt64Value;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.Header;
import dev.weir.request.Request;
import dev.weir.request.Status;
import dev.weir.request.Verdict;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Asks a running rate limit service, as Envoy would. For the command line; blocks. */
public final class RateLimitClient implements AutoCloseable {
    private final String address;
    private final ManagedChannel channel;

    private RateLimitClient(String address) {
        this.address = address;
        this.channel = NettyChannelBuilder.forTarget("dns:///" + address)
                .usePlaintext()
                .build();
    }

    /** Returns a client of the service at {@code host:port}; it connects when it is asked. */
    public static RateLimitClient of(String address) {
        return new RateLimitClient(address);
    }

    /**
     * Asks one question.
     *
     * @throws AskFailedException if there was no answer within the timeout, or the answer was an error
     */
    public Verdict ask(Request request, Duration timeout) throws AskFailedException {
        var message =
                RateLimitRequest.newBuilder().setDomain(request.domain()).setHitsAddend((int) request.hitsAddend());
        for (Descriptor descriptor : request.descriptors()) {
            var entries = RateLimitDescriptor.newBuilder();
            for (Entry entry : descriptor.entries()) {
                entries.addEntries(RateLimitDescriptor.Entry.newBuilder()
                        .setKey(entry.key())
                        .setValue(entry.value()));
            }
            if (descriptor.hits() != Descriptor.UNSET_HITS) {
                entries.setHitsAddend(UInt64Value.of(descriptor.hits()));
            }
            message.addDescriptors(entries);
        }
        try {
            return verdict(RateLimitServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS)
                    .shouldRateLimit(message.build()));
        } catch (StatusRuntimeException e) {
            throw new AskFailedException(
                    switch (e.getStatus().getCode()) {
                        case DEADLINE_EXCEEDED ->
                            "the service at " + address + " did not answer within " + timeout.toMillis() + " ms";
                        case UNAVAILABLE -> "the service at " + address + " is not available: " + reason(e.getStatus());
                        default ->
                            "the service at " + address + " answered "
                                    + e.getStatus().getCode() + ": "
                                    + e.getStatus().getDescription();
                    });
        }
    }

    /** What the network said, where it did; else what the service said. */
    private static String reason(io.grpc.Status status) {
        Throwable root = status.getCause();
        while (root != null && root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root == null ? status.getDescription() : root.getMessage());
    }

    private static Verdict verdict(RateLimitResponse response) {
        List<Status> statuses =
                response.getStatusesList().stream().map(RateLimitClient::status).toList();
        List<Header> headers = response.getResponseHeadersToAddList().stream()
                .map(header -> new Header(header.getKey(), header.getValue()))
                .toList();
        return new Verdict(response.getOverallCode() == RateLimitResponse.Code.OVER_LIMIT, statuses, headers, Map.of());
    }

    private static Status status(RateLimitResponse.DescriptorStatus status) {
        var limit = status.getCurrentLimit();
        Unit unit = Unit.ofNumber(limit.getUnitValue());
        return new Status(
                status.getCode() == RateLimitResponse.Code.OVER_LIMIT,
                unit == null ? null : Quota.per(unit, Integer.toUnsignedLong(limit.getRequestsPerUnit())),
                limit.getName(),
                Integer.toUnsignedLong(status.getLimitRemaining()),
                status.getDurationUntilReset().getSeconds());
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
