package dev.weir.http2;

import dev.weir.call.Head;
import dev.weir.call.Outcome;
import dev.weir.call.Refusal;
import dev.weir.call.Tracer;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/** What the headers of a request must say for it to be a call. The order of the checks and the words are grpc-java's. */
final class Opening {
    private static final AsciiString POST = AsciiString.cached("POST");
    private static final AsciiString GRPC = AsciiString.cached("application/grpc");
    private static final AsciiString IDENTITY = AsciiString.cached("identity");
    private static final AsciiString GZIP = AsciiString.cached(Gzip.NAME);
    private static final AsciiString ENCODING = AsciiString.cached("grpc-encoding");
    private static final AsciiString TIMEOUT = AsciiString.cached("grpc-timeout");

    private Opening() {}

    /**
     * Checks that a request is a call.
     *
     * @throws RefusedException if it is not
     */
    static void check(Http2Headers headers) throws RefusedException {
        CharSequence path = headers.path();
        if (path == null || path.isEmpty() || path.charAt(0) != '/') {
            throw RefusedException.noCall(
                    Refusal.PATH, "404", Outcome.UNIMPLEMENTED, "Expected path to start with /: " + path);
        }
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

    /**
     * Returns what the caller says before the first message.
     *
     * @param cameNanos when the headers came: the caller's time runs from when it sent them
     * @param tracer says whether the call is followed; null if none is, ever
     * @throws RefusedException if the timeout is malformed
     */
    static Head head(Http2Headers headers, long cameNanos, @Nullable Tracer tracer) throws RefusedException {
        String path = String.valueOf(headers.path());
        long deadlineNanos = deadline(headers, cameNanos);
        return tracer == null
                ? new Head(path, deadlineNanos)
                : new Head(path, deadlineNanos, tracer.begin(path, name -> text(headers.get(name))));
    }

    private static @Nullable String text(@Nullable CharSequence value) {
        return value == null ? null : value.toString();
    }

    /** gRPC's type may go on with the format of the messages or with parameters. */
    private static boolean isGrpc(CharSequence type) {
        if (GRPC.contentEquals(type)) {
            return true;
        }
        if (type.length() <= GRPC.length() || !GRPC.contentEquals(type.subSequence(0, GRPC.length()))) {
            return false;
        }
        char next = type.charAt(GRPC.length());
        return next == '+' || next == ';';
    }

    /**
     * Returns whether the messages of a call may be compressed.
     *
     * @throws RefusedException if they are, in a way that is not understood
     */
    static boolean isGzip(Http2Headers headers) throws RefusedException {
        CharSequence encoding = headers.get(ENCODING);
        if (encoding == null || IDENTITY.contentEquals(encoding)) {
            return false;
        }
        if (GZIP.contentEquals(encoding)) {
            return true;
        }
        throw RefusedException.call(Refusal.ENCODING, Outcome.UNIMPLEMENTED, "Can't find decompressor for " + encoding);
    }

    /** Returns when the caller stops waiting, by {@link System#nanoTime()}. */
    private static long deadline(Http2Headers headers, long cameNanos) throws RefusedException {
        CharSequence timeout = headers.get(TIMEOUT);
        return timeout == null ? Head.NO_DEADLINE : cameNanos + Timeout.nanos(timeout);
    }
}
