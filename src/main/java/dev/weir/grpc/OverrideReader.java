package dev.weir.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.InvalidRequestException;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.RateLimitOverride;
import java.io.IOException;

/** Reads the limit that a caller sends along with a descriptor; if it comes in parts, a later one adds to the earlier. */
final class OverrideReader {
    private static final int REQUESTS_PER_UNIT =
            RateLimitOverride.REQUESTS_PER_UNIT_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT;
    private static final int UNIT = RateLimitOverride.UNIT_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT;

    private int requestsPerUnit;
    private int unitNumber;

    /** Reads one part, up to the limit that was pushed. */
    void read(CodedInputStream in) throws IOException {
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (tag == REQUESTS_PER_UNIT) {
                requestsPerUnit = in.readUInt32();
            } else if (tag == UNIT) {
                unitNumber = in.readEnum();
            } else {
                RequestReader.pass(in, tag);
            }
        }
    }

    /**
     * Returns what was read.
     *
     * @throws InvalidRequestException if it has no unit that is known
     */
    Quota quota() {
        Unit unit = Unit.ofNumber(unitNumber);
        if (unit == null) {
            throw new InvalidRequestException(
                    "the limit of a descriptor must have a unit: 1 (second) to 7 (week), not " + unitNumber);
        }
        return Quota.per(unit, Integer.toUnsignedLong(requestsPerUnit));
    }
}
