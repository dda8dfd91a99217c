package dev.weir.grpc;

import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What came back on a stream so far. */
final class RawAnswer {
    static final int NOT_RESET = -1;
    private static final int PREFIX_BYTES = 5;

    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private @Nullable Http2Headers headers;
    private @Nullable Http2Headers trailers;
    private boolean isEnded;
    private int reset = NOT_RESET;
    private int window;

    void headers(Http2Headers come, boolean isEnd) {
        if (headers == null) {
            headers = come;
        }
        trailers = come;
        isEnded |= isEnd;
    }

    void data(byte[] bytes, boolean isEnd) {
        body.writeBytes(bytes);
        isEnded |= isEnd;
    }

    void reset(int code) {
        if (!isEnded) {
            reset = code;
            isEnded = true;
        }
    }

    void window(int bytes) {
        window += bytes;
    }

    /** Returns how many bytes the caller may send beside those it might in the beginning. */
    int window() {
        return window;
    }

    boolean isEnded() {
        return isEnded;
    }

    /** Returns the error the stream was reset with before it had ended. */
    int reset() {
        return reset;
    }

    /** Returns a header, or nothing as "(none)". */
    String header(String name) {
        return text(headers, name);
    }

    /** Returns a trailer; where there are only trailers, those. */
    String trailer(String name) {
        return text(trailers, name);
    }

    private static String text(@Nullable Http2Headers from, String name) {
        CharSequence value = from == null ? null : from.get(name);
        return value == null ? "(none)" : value.toString();
    }

    int bodyBytes() {
        return body.size();
    }

    /** Returns the only message. */
    byte[] message() {
        byte[] all = body.toByteArray();
        return Arrays.copyOfRange(all, PREFIX_BYTES, all.length);
    }

    byte[] body() {
        return body.toByteArray();
    }
}
