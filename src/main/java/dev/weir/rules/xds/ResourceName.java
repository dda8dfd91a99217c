package dev.weir.rules.xds;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitConfig;
import java.io.IOException;

/** The name of a resource, looked up in its bytes: decoded, all of them together would take much of the heap. */
final class ResourceName {
    private static final int TAG = RateLimitConfig.NAME_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

    private ResourceName() {}

    /** Returns it; empty if there is none, or if that cannot be decoded. */
    static String of(ByteString resource) {
        String name = "";
        try {
            CodedInputStream in = resource.newCodedInput();
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                if (tag == TAG) {
                    name = in.readString();
                } else {
                    var _ = in.skipField(tag);
                }
            }
        } catch (IOException _) {
            return ""; // who decodes it says what is wrong
        }
        return name;
    }
}
