package dev.weir.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.UInt64Value;
import com.google.protobuf.WireFormat;
import dev.weir.decide.Bounds;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import java.io.IOException;
import java.util.List;

/**
 * Reads {@code envoy.service.ratelimit.v3.RateLimitRequest} from its bytes straight into our words.
 *
 * <p>The generated classes would be read first and copied then: each message twice (docs/decisions/0012). What they
 * take or refuse is taken or refused here: unknown fields and known ones of another wire type are passed over, of a field
 * that comes twice the last counts, and texts must be UTF-8. Only values need not be: they are what an end user has sent, and
 * who writes a byte that is none is counted all the same, beside others who write such bytes, and not let pass. A test holds
 * the two together on random and hostile bytes.
 */
final class RequestReader {
    private static final int DOMAIN = RateLimitRequest.DOMAIN_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
    private static final int DESCRIPTORS =
            RateLimitRequest.DESCRIPTORS_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
    private static final int HITS_ADDEND = RateLimitRequest.HITS_ADDEND_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT;

    private static final int ENTRIES =
            RateLimitDescriptor.ENTRIES_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
    private static final int LIMIT = RateLimitDescriptor.LIMIT_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
    private static final int OWN_HITS_ADDEND =
            RateLimitDescriptor.HITS_ADDEND_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

    /** Envoy 1.38 and later send it; the generated class is older and lacks it. */
    static final int IS_NEGATIVE_HITS_FIELD_NUMBER = 4;

    private static final int IS_NEGATIVE_HITS = IS_NEGATIVE_HITS_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT;

    private static final int KEY =
            RateLimitDescriptor.Entry.KEY_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
    private static final int VALUE =
            RateLimitDescriptor.Entry.VALUE_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

    private static final int WRAPPED = UInt64Value.VALUE_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT;

    private final CodedInputStream in;
    private final Bounds bounds;

    private RequestReader(byte[] bytes, Bounds bounds) {
        this.in = CodedInputStream.newInstance(bytes);
        this.bounds = bounds;
    }

    /**
     * Reads the bytes of a message, up to what is too many: two bytes are a descriptor, which would become sixty of ours.
     *
     * @throws InvalidRequestException if they are none, or say something that cannot be asked
     */
    static Request read(byte[] bytes, Bounds bounds) {
        try {
            return new RequestReader(bytes, bounds).request();
        } catch (IOException e) {
            throw new InvalidRequestException("the message is no RateLimitRequest: " + e.getMessage());
        }
    }

    private Request request() throws IOException {
        String domain = "";
        List<Descriptor> descriptors = List.of();
        int hitsAddend = 0;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (tag == DOMAIN) {
                domain = in.readStringRequireUtf8();
            } else if (tag == DESCRIPTORS) {
                bounds.checkDescriptors(descriptors.size() + 1);
                descriptors = Few.with(descriptors, descriptor());
            } else if (tag == HITS_ADDEND) {
                hitsAddend = in.readUInt32();
            } else {
                pass(tag);
            }
        }
        return new Request(domain, descriptors, Integer.toUnsignedLong(hitsAddend));
    }

    private Descriptor descriptor() throws IOException {
        List<Entry> entries = List.of();
        OverrideReader override = null;
        long hits = Descriptor.UNSET_HITS;
        boolean isRefund = false;
        int end = begin();
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (tag == ENTRIES) {
                bounds.checkEntries(entries.size() + 1);
                entries = Few.with(entries, entry());
            } else if (tag == LIMIT) {
                override = override == null ? new OverrideReader() : override;
                int limitEnd = begin();
                override.read(in);
                in.popLimit(limitEnd);
            } else if (tag == OWN_HITS_ADDEND) {
                hits = hits(hits == Descriptor.UNSET_HITS ? 0 : hits);
            } else if (tag == IS_NEGATIVE_HITS) {
                isRefund = in.readUInt64() != 0;
            } else {
                pass(tag);
            }
        }
        in.popLimit(end);
        return new Descriptor(entries, override == null ? null : override.quota(), hits, isRefund);
    }

    private Entry entry() throws IOException {
        String key = "";
        String value = "";
        int end = begin();
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (tag == KEY) {
                key = in.readStringRequireUtf8();
            } else if (tag == VALUE) {
                value = in.readString();
            } else {
                pass(tag);
            }
        }
        in.popLimit(end);
        return new Entry(key, value);
    }

    /**
     * Unsigned on the wire: what a long cannot hold is too much in any case, and must not look like "unset".
     *
     * @param before what an earlier part of the same field said, which counts where this one says nothing
     */
    private long hits(long before) throws IOException {
        long unsigned = before;
        int end = begin();
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (tag == WRAPPED) {
                unsigned = in.readUInt64();
            } else {
                pass(tag);
            }
        }
        in.popLimit(end);
        return unsigned < 0 ? Long.MAX_VALUE : unsigned;
    }

    /** Begins a message within a message; returns the end of the outer one. */
    private int begin() throws IOException {
        return in.pushLimit(in.readRawVarint32());
    }

    private void pass(int tag) throws IOException {
        pass(in, tag);
    }

    /** Passes over a field that is not looked at. A number is read, for skipping is stricter about ten bytes than reading. */
    static void pass(CodedInputStream in, int tag) throws IOException {
        if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_VARINT) {
            var _ = in.readRawVarint64();
        } else {
            var _ = in.skipField(tag); // it refuses by itself the end of a group that did not begin
        }
    }
}
