package dev.weir.grpc;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Duration;
import com.google.protobuf.Struct;
import com.google.protobuf.WireFormat;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Header;
import dev.weir.request.Status;
import dev.weir.request.Verdict;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the bytes of {@code envoy.service.ratelimit.v3.RateLimitResponse} straight from our words, as the generated classes
 * would: fields in the order of their numbers, and none that has its default. A test compares the two.
 *
 * <p>A message within a message says its length first, so sizes are asked for before bytes are written.
 */
final class VerdictWriter {
    private VerdictWriter() {}

    /** Returns the message. */
    static byte[] write(Verdict verdict) {
        Struct metadata = verdict.metadata().isEmpty() ? null : MetadataMessage.of(verdict.metadata());
        byte[] bytes = new byte[size(verdict, metadata)];
        var out = CodedOutputStream.newInstance(bytes);
        try {
            write(verdict, metadata, out);
            out.checkNoSpaceLeft();
        } catch (IOException e) {
            throw new IllegalStateException("an array has room for what was measured", e);
        }
        return bytes;
    }

    private static int size(Verdict verdict, @Nullable Struct metadata) {
        int size =
                CodedOutputStream.computeEnumSize(RateLimitResponse.OVERALL_CODE_FIELD_NUMBER, code(verdict.isOver()));
        List<Status> statuses = verdict.statuses();
        for (int i = 0; i < statuses.size(); i++) { // indexed: an iterator for each answer would be garbage
            size += nested(RateLimitResponse.STATUSES_FIELD_NUMBER, size(statuses.get(i)));
        }
        List<Header> headers = verdict.headers();
        for (int i = 0; i < headers.size(); i++) {
            size += nested(RateLimitResponse.RESPONSE_HEADERS_TO_ADD_FIELD_NUMBER, size(headers.get(i)));
        }
        return metadata == null
                ? size
                : size
                        + CodedOutputStream.computeMessageSize(
                                RateLimitResponse.DYNAMIC_METADATA_FIELD_NUMBER, metadata);
    }

    private static void write(Verdict verdict, @Nullable Struct metadata, CodedOutputStream out) throws IOException {
        out.writeEnum(RateLimitResponse.OVERALL_CODE_FIELD_NUMBER, code(verdict.isOver()));
        List<Status> statuses = verdict.statuses();
        for (int i = 0; i < statuses.size(); i++) {
            begin(RateLimitResponse.STATUSES_FIELD_NUMBER, size(statuses.get(i)), out);
            write(statuses.get(i), out);
        }
        List<Header> headers = verdict.headers();
        for (int i = 0; i < headers.size(); i++) {
            Header header = headers.get(i);
            begin(RateLimitResponse.RESPONSE_HEADERS_TO_ADD_FIELD_NUMBER, size(header), out);
            writeText(HeaderValue.KEY_FIELD_NUMBER, header.name(), out);
            writeText(HeaderValue.VALUE_FIELD_NUMBER, header.value(), out);
        }
        if (metadata != null) {
            out.writeMessage(RateLimitResponse.DYNAMIC_METADATA_FIELD_NUMBER, metadata);
        }
    }

    private static int code(boolean isOver) {
        return isOver ? Code.OVER_LIMIT_VALUE : Code.OK_VALUE;
    }

    private static int size(Status status) {
        int size = CodedOutputStream.computeEnumSize(DescriptorStatus.CODE_FIELD_NUMBER, code(status.isOver()));
        Quota quota = status.quota();
        if (quota != null) {
            size += nested(DescriptorStatus.CURRENT_LIMIT_FIELD_NUMBER, size(status.name(), quota));
        }
        if (status.remaining() != 0) {
            size += CodedOutputStream.computeUInt32Size(
                    DescriptorStatus.LIMIT_REMAINING_FIELD_NUMBER, (int) status.remaining());
        }
        if (quota != null) {
            size += nested(DescriptorStatus.DURATION_UNTIL_RESET_FIELD_NUMBER, secondsSize(status));
        }
        return size;
    }

    private static void write(Status status, CodedOutputStream out) throws IOException {
        out.writeEnum(DescriptorStatus.CODE_FIELD_NUMBER, code(status.isOver()));
        Quota quota = status.quota();
        if (quota != null) {
            begin(DescriptorStatus.CURRENT_LIMIT_FIELD_NUMBER, size(status.name(), quota), out);
            if (quota.hits() != 0) {
                out.writeUInt32(RateLimit.REQUESTS_PER_UNIT_FIELD_NUMBER, (int) quota.hits());
            }
            if (unitNumber(quota) != 0) {
                out.writeEnum(RateLimit.UNIT_FIELD_NUMBER, unitNumber(quota));
            }
            writeText(RateLimit.NAME_FIELD_NUMBER, status.name(), out);
        }
        if (status.remaining() != 0) {
            out.writeUInt32(DescriptorStatus.LIMIT_REMAINING_FIELD_NUMBER, (int) status.remaining());
        }
        if (quota != null) {
            begin(DescriptorStatus.DURATION_UNTIL_RESET_FIELD_NUMBER, secondsSize(status), out);
            out.writeInt64(Duration.SECONDS_FIELD_NUMBER, status.resetSeconds());
        }
    }

    private static int size(String name, Quota quota) {
        int size = textSize(RateLimit.NAME_FIELD_NUMBER, name);
        if (quota.hits() != 0) {
            size += CodedOutputStream.computeUInt32Size(RateLimit.REQUESTS_PER_UNIT_FIELD_NUMBER, (int) quota.hits());
        }
        return unitNumber(quota) == 0
                ? size
                : size + CodedOutputStream.computeEnumSize(RateLimit.UNIT_FIELD_NUMBER, unitNumber(quota));
    }

    private static int unitNumber(Quota quota) {
        Unit unit = quota.unit();
        return unit == null ? Unit.UNKNOWN_NUMBER : unit.number();
    }

    /** Of a status with a limit: it resets in one second at least. */
    private static int secondsSize(Status status) {
        return CodedOutputStream.computeInt64Size(Duration.SECONDS_FIELD_NUMBER, status.resetSeconds());
    }

    private static int size(Header header) {
        return textSize(HeaderValue.KEY_FIELD_NUMBER, header.name())
                + textSize(HeaderValue.VALUE_FIELD_NUMBER, header.value());
    }

    private static int textSize(int field, String text) {
        return text.isEmpty() ? 0 : CodedOutputStream.computeStringSize(field, text);
    }

    private static void writeText(int field, String text, CodedOutputStream out) throws IOException {
        if (!text.isEmpty()) {
            out.writeString(field, text);
        }
    }

    private static int nested(int field, int size) {
        return CodedOutputStream.computeTagSize(field) + CodedOutputStream.computeUInt32SizeNoTag(size) + size;
    }

    private static void begin(int field, int size, CodedOutputStream out) throws IOException {
        out.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
        out.writeUInt32NoTag(size);
    }
}
