package dev.weir.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a caller is told of what is no request. */
final class Mistakes {
    static final Reply TARGET = Reply.text(400, "the target of the request is none\n");
    static final Reply FOLDED = Reply.text(400, "a line of the headers goes on in the next one\n");
    private static final Reply VERSION = Reply.text(505, "HTTP/1.1 and HTTP/1.0 are spoken here\n");
    private static final Reply HOST = Reply.text(400, "a request names its host once\n");
    private static final Reply CODING = Reply.text(501, "the one transfer coding is chunked\n");

    private Mistakes() {}

    /**
     * Returns what is wrong with the head of a request that could be read, or null. For whom it is (RFC 9112, section 3.2) and where
     * its body ends must be clear: a proxy before us may think otherwise, and what it takes for a body would be a request here
     * (section 11.2).
     */
    static @Nullable Reply of(HttpRequest request) {
        if (request.protocolVersion().majorVersion() != 1) {
            return VERSION;
        }
        int hosts = request.headers().getAll(HttpHeaderNames.HOST).size();
        if (hosts > 1 || (hosts == 0 && !request.protocolVersion().equals(HttpVersion.HTTP_1_0))) {
            return HOST;
        }
        List<String> codings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
        boolean isKnown = codings.size() == 1 && "chunked".equalsIgnoreCase(codings.getFirst());
        return codings.isEmpty() || isKnown ? null : CODING;
    }

    /** Returns what is said of what could not be read. */
    static Reply of(Throwable cause) {
        return switch (cause) {
            case TooLongHttpLineException _ -> Reply.text(414, "a line of the request is too long\n");
            case TooLongHttpHeaderException _ -> Reply.text(431, "the headers of the request are too long\n");
            default -> Reply.text(400, "this is no request of HTTP/1.1\n");
        };
    }
}
