package dev.weir.grpc;

import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.weir.decide.Bounds;
import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import dev.weir.request.Verdict;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;

/** The two messages in protobuf's JSON, for callers over plain HTTP. */
public final class JsonMessages {
    private static final JsonFormat.Printer PRINTER = JsonFormat.printer().omittingInsignificantWhitespace();

    private JsonMessages() {}

    /**
     * Reads a {@code RateLimitRequest}.
     *
     * @throws InvalidRequestException if the body is none, has a field that the message lacks, or more in it than the bounds allow
     */
    public static Request read(byte[] body, Bounds bounds) {
        var message = DynamicMessage.newBuilder(RequestForm.REQUEST);
        JsonReader.read(body, message, bounds);
        return RequestReader.read(message.build().toByteArray(), bounds);
    }

    /** Writes a {@code RateLimitResponse} in one line. */
    public static String write(Verdict verdict) {
        try {
            return PRINTER.print(RateLimitResponse.parseFrom(VerdictWriter.write(verdict)));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("a response without Any always has a JSON form", e);
        }
    }
}
