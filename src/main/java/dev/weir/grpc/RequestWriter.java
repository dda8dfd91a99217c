package dev.weir.grpc;

import com.google.protobuf.UInt64Value;
import com.google.protobuf.UnknownFieldSet;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.Request;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.RateLimitOverride;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;

/** Writes {@code envoy.service.ratelimit.v3.RateLimitRequest}, for those who ask. */
public final class RequestWriter {
    private static final UnknownFieldSet REFUND = UnknownFieldSet.newBuilder()
            .addField(
                    RequestReader.IS_NEGATIVE_HITS_FIELD_NUMBER,
                    UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();

    private RequestWriter() {}

    /**
     * Returns the bytes of the message.
     *
     * @throws IllegalArgumentException if a limit is sent along whose window is no unit: the wire has no other
     */
    public static byte[] bytes(Request request) {
        return message(request).toByteArray();
    }

    static RateLimitRequest message(Request request) {
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
            if (descriptor.override() != null) {
                entries.setLimit(override(descriptor.override()));
            }
            if (descriptor.isRefund()) {
                entries.setUnknownFields(REFUND);
            }
            message.addDescriptors(entries);
        }
        return message.build();
    }

    private static RateLimitOverride override(Quota quota) {
        Unit unit = quota.unit();
        if (unit == null) {
            throw new IllegalArgumentException(
                    "a limit that is sent along has a unit, and none is " + quota.windowSeconds() + " s long");
        }
        return RateLimitOverride.newBuilder()
                .setRequestsPerUnit((int) quota.hits())
                .setUnitValue(unit.number())
                .build();
    }
}
