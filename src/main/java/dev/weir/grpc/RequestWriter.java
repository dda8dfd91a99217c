package dev.weir.grpc;

import com.google.protobuf.UInt64Value;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.Request;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;

/** Writes {@code envoy.service.ratelimit.v3.RateLimitRequest}, for those who ask. A limit sent along is not written. */
public final class RequestWriter {
    private RequestWriter() {}

    /** Returns the bytes of the message. */
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
            message.addDescriptors(entries);
        }
        return message.build();
    }
}
