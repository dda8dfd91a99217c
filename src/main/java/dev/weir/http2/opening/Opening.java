package dev.weir.http2.opening;

import dev.weir.call.Calls;
import dev.weir.call.Head;
import dev.weir.call.Outcome;
import dev.weir.call.Refusal;
import dev.weir.http2.message.Gzip;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/**
 * What the headers of a request say of the call that it opens. The order of the checks and the words are grpc-java's.
 *
 * @param headers of the request
 * @param path of the method
 * @param calls the method's
 * @param isGzip whether messages that are compressed are so by gzip; if not, none may be
 * @param timeoutNanos after which its caller stops waiting; {@link #NO_TIMEOUT} for never
 */
public record Opening(Http2Headers headers, String path, Calls calls, boolean isGzip, long timeoutNanos) {
    /** Its caller waits for ever. */
    public static final long NO_TIMEOUT = -1;

    private static final AsciiString POST = AsciiString.cached("POST");
    private static final AsciiString GRPC = AsciiString.cached("application/grpc");
    private static final AsciiString IDENTITY = AsciiString.cached("identity");
    private static final AsciiString GZIP = AsciiString.cached(Gzip.NAME);
    private static final AsciiString ENCODING = AsciiString.cached("grpc-encoding");
    private static final AsciiString TIMEOUT = AsciiString.cached("grpc-timeout");

    /**
     * Reads the headers of a request.
     *
     * @throws RefusedException if it is no call, or one that cannot be answered as it wants
     */
    static Opening of(Http2Headers headers, Methods methods) throws RefusedException {
        String path = path(headers);
        check(headers);
        boolean isGzip = isGzip(headers);
        CharSequence timeout = headers.get(TIMEOUT);
        return new Opening(
                headers, path, methods.of(path), isGzip, timeout == null ? NO_TIMEOUT : Timeout.nanos(timeout));
    }

    /**
     * Returns what the caller says before the first message.
     *
     * @param cameNanos when the headers came: the caller's time runs from when it sent them
     */
    public Head head(long cameNanos, Methods methods) {
        long deadlineNanos = deadlineNanos(cameNanos);
        return methods.tracer() == null
                ? new Head(path, deadlineNanos)
                : new Head(path, deadlineNanos, methods.tracer().begin(path, name -> text(headers.get(name))));
    }

    /** Returns when the caller stops waiting; {@link Head#NO_DEADLINE} for never. */
    public long deadlineNanos(long cameNanos) {
        return timeoutNanos == NO_TIMEOUT ? Head.NO_DEADLINE : cameNanos + timeoutNanos;
    }

    private static String path(Http2Headers headers) throws RefusedException {
        CharSequence path = headers.path();
        if (path == null || path.isEmpty() || path.charAt(0) != '/') {
            throw RefusedException.noCall(
                    Refusal.PATH, "404", Outcome.UNIMPLEMENTED, "Expected path to start with /: " + path);
        }
        return path.toString();
    }

    private static void check(Http2Headers headers) throws RefusedException {
        CharSequence type = headers.get(HttpHeaderNames.CONTENT_TYPE);
        if (type == null) {
            throw RefusedException.noCall(
                    Refusal.CONTENT_TYPE, "415", Outcome.INTERNAL, "Content-Type is missing from the request");
        }
        if (!isGrpc(type)) {
            throw RefusedException.noCall(
                    Refusal.CONTENT_TYPE, "415", Outcome.INTERNAL, "Content-Type '" + type + "' is not supported");
        }
        CharSequence method = headers.method();
        if (method == null || !POST.contentEquals(method)) {
            throw RefusedException.noCall(
                    Refusal.METHOD, "405", Outcome.INTERNAL, "Method '" + method + "' is not supported");
        }
    }

    private static @Nullable String text(@Nullable CharSequence value) {
        return value == null ? null : value.toString();
    }

    /** gRPC's type may go on with the format of the messages or with parameters. */
    private static boolean isGrpc(CharSequence type) {
        if (GRPC.contentEqualsIgnoreCase(type)) {
            return true;
        }
        if (type.length() <= GRPC.length() || !GRPC.contentEqualsIgnoreCase(type.subSequence(0, GRPC.length()))) {
            return false;
        }
        char next = type.charAt(GRPC.length());
        return next == '+' || next == ';';
    }

    /** Compression that is not understood is refused. */
    private static boolean isGzip(Http2Headers headers) throws RefusedException {
        CharSequence encoding = headers.get(ENCODING);
        if (encoding == null || IDENTITY.contentEquals(encoding)) {
            return false;
        }
        if (GZIP.contentEquals(encoding)) {
            return true;
        }
        throw RefusedException.call(Refusal.ENCODING, Outcome.UNIMPLEMENTED, "Can't find decompressor for " + encoding);
    }
}
