package dev.weir.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/** Reads {@code envoy.service.ratelimit.v3.RateLimitRequest}. */
final class RequestReader {
    /** Envoy 1.38 and later send {@code is_negative_hits}; the generated class is older and keeps it as unknown. */
    private static final int IS_NEGATIVE_HITS = 4;

    private RequestReader() {}

    /**
     * Reads the bytes of a message.
     *
     * @throws InvalidRequestException if they are none, or say something that cannot be asked
     */
    static Request read(byte[] bytes) {
        try {
            return read(RateLimitRequest.parseFrom(bytes));
        } catch (InvalidProtocolBufferException e) {
            throw new InvalidRequestException("the message is no RateLimitRequest: " + e.getMessage());
        }
    }

    /**
     * Reads a message.
     *
     * @throws InvalidRequestException if it says something that cannot be asked
     */
    static Request read(RateLimitRequest message) {
        var descriptors = new ArrayList<Descriptor>(message.getDescriptorsCount());
        for (int i = 0; i < message.getDescriptorsCount(); i++) {
            descriptors.add(descriptor(message.getDescriptors(i)));
        }
        return new Request(message.getDomain(), descriptors, Integer.toUnsignedLong(message.getHitsAddend()));
    }

    private static Descriptor descriptor(RateLimitDescriptor message) {
        var entries = new ArrayList<Entry>(message.getEntriesCount());
        for (int i = 0; i < message.getEntriesCount(); i++) {
            var entry = message.getEntries(i);
            entries.add(new Entry(entry.getKey(), entry.getValue()));
        }
        long hits = message.hasHitsAddend() ? hits(message.getHitsAddend().getValue()) : Descriptor.UNSET_HITS;
        return new Descriptor(entries, override(message), hits, isRefund(message));
    }

    private static @Nullable Quota override(RateLimitDescriptor message) {
        if (!message.hasLimit()) {
            return null;
        }
        int number = message.getLimit().getUnitValue();
        Unit unit = Unit.ofNumber(number);
        if (unit == null) {
            throw new InvalidRequestException(
                    "the limit of a descriptor must have a unit: 1 (second) to 7 (week), not " + number);
        }
        return Quota.per(unit, Integer.toUnsignedLong(message.getLimit().getRequestsPerUnit()));
    }

    /** Unsigned on the wire: what a long cannot hold is too much in any case, and must not look like "unset". */
    private static long hits(long unsigned) {
        return unsigned < 0 ? Long.MAX_VALUE : unsigned;
    }

    private static boolean isRefund(RateLimitDescriptor message) {
        UnknownFieldSet unknown = message.getUnknownFields();
        if (!unknown.hasField(IS_NEGATIVE_HITS)) {
            return false;
        }
        var values = unknown.getField(IS_NEGATIVE_HITS).getVarintList();
        return !values.isEmpty() && values.getLast() != 0;
    }
}
