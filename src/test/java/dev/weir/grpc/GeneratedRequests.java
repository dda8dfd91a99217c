package dev.weir.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import java.util.ArrayList;
import java.util.List;

/** Reads requests by way of the generated classes, which are right by definition. */
final class GeneratedRequests {
    private GeneratedRequests() {}

    static Request read(byte[] bytes) {
        RateLimitRequest message;
        try {
            message = RateLimitRequest.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new InvalidRequestException("broken: " + e.getMessage());
        }
        List<Descriptor> descriptors = new ArrayList<>();
        for (RateLimitDescriptor descriptor : message.getDescriptorsList()) {
            descriptors.add(descriptor(descriptor));
        }
        return new Request(message.getDomain(), descriptors, Integer.toUnsignedLong(message.getHitsAddend()));
    }

    private static Descriptor descriptor(RateLimitDescriptor message) {
        Quota override = null;
        if (message.hasLimit()) {
            Unit unit = Unit.ofNumber(message.getLimit().getUnitValue());
            if (unit == null) {
                throw new InvalidRequestException("no unit");
            }
            override = Quota.per(unit, Integer.toUnsignedLong(message.getLimit().getRequestsPerUnit()));
        }
        long hits = message.getHitsAddend().getValue();
        var refunds = message.getUnknownFields().getField(4).getVarintList();
        return new Descriptor(
                message.getEntriesList().stream()
                        .map(entry -> new Entry(entry.getKey(), entry.getValue()))
                        .toList(),
                override,
                !message.hasHitsAddend() ? Descriptor.UNSET_HITS : hits < 0 ? Long.MAX_VALUE : hits,
                !refunds.isEmpty() && refunds.getLast() != 0);
    }
}
