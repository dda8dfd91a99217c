package dev.weir.rules.xds;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import dev.weir.rules.NameWeight;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitConfig;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitPolicy;
import java.io.IOException;

/**
 * How much of the heap resources will take, in descriptors, reckoned from their bytes: decoding makes a hundred bytes of two.
 *
 * <p>A limit is part of its descriptor. A resource weighs as much as one beside those in it: its domain has a tree. Four messages of any other kind, pieces of metadata above all, weigh as much as one. So
 * do the {@link NameWeight names} that lead to a descriptor, over and over.
 */
final class Weight {
    private static final int OF_DESCRIPTOR = 4;

    /** Messages inside of each other; decoding refuses more. */
    private static final int MAX_DEPTH = 100;

    private final long most;
    private long weight;

    /**
     * Begins with nothing.
     *
     * @param mostDescriptors what all resources may weigh together
     */
    Weight(long mostDescriptors) {
        this.most = OF_DESCRIPTOR * mostDescriptors;
    }

    /** Adds a resource; what cannot be decoded from some place on weighs what stands before. */
    void add(ByteString resource) {
        weight += OF_DESCRIPTOR;
        try {
            addMessage(resource.newCodedInput(), RateLimitConfig.getDescriptor(), 0, 1);
        } catch (IOException _) {
            // Who decodes it says what is wrong.
        }
    }

    /** Returns whether it is more than it may be; then not all was looked at. */
    boolean isTooMuch() {
        return weight > most;
    }

    /**
     * Adds what is in a message.
     *
     * @param above bytes of the names that lead to it; messages are written so that its own stand before what is below
     */
    private void addMessage(CodedInputStream in, Descriptor type, int above, int depth) throws IOException {
        int names = above;
        while (!isTooMuch()) {
            int tag = in.readTag();
            if (tag == 0) {
                return;
            }
            var field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
            if (field == null
                    || depth == MAX_DEPTH
                    || WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
                var _ = in.skipField(tag);
                continue;
            }
            int length = in.readRawVarint32();
            if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                weight += of(field.getMessageType(), names);
                int end = in.pushLimit(length);
                addMessage(in, field.getMessageType(), names, depth + 1);
                in.popLimit(end);
            } else {
                in.skipRawBytes(length);
                names += length;
            }
        }
    }

    private static long of(Descriptor type, int names) {
        if (type.equals(RateLimitDescriptor.getDescriptor())) {
            return OF_DESCRIPTOR * (1 + NameWeight.of(names));
        }
        return type.equals(RateLimitPolicy.getDescriptor()) ? 0 : 1;
    }
}
