package dev.weir.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import dev.weir.request.Verdict;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;

/** The two messages in protobuf's JSON, for callers over plain HTTP. */
public final class JsonMessages {
    private static final JsonFormat.Parser PARSER = JsonFormat.parser();
    private static final JsonFormat.Printer PRINTER = JsonFormat.printer().omittingInsignificantWhitespace();

    private JsonMessages() {}

    /**
     * Reads a {@code RateLimitRequest}. Refunds cannot be asked for here, because the message's class lacks the field.
     *
     * @throws InvalidRequestException if the text is none, or has a field that the message lacks
     */
    public static Request read(String json) {
        var message = RateLimitRequest.newBuilder();
        try {
            PARSER.merge(json, message);
        } catch (InvalidProtocolBufferException e) {
            throw new InvalidRequestException("the body is no RateLimitRequest in JSON: " + rootMessage(e));
        }
        return RequestReader.read(message.build().toByteArray());
    }

    /** Writes a {@code RateLimitResponse} in one line. */
    public static String write(Verdict verdict) {
        try {
            return PRINTER.print(RateLimitResponse.parseFrom(VerdictWriter.write(verdict)));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("a response without Any always has a JSON form", e);
        }
    }

    /** Where the text itself is broken, the outer exceptions quote the inner one with the name of its class. */
    private static String rootMessage(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }
}
