package dev.weir.http;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;

/** What a caller is told of what is no request. */
final class Mistakes {
    static final Reply VERSION = Reply.text(505, "HTTP/1.1 and HTTP/1.0 are spoken here\n");
    static final Reply TARGET = Reply.text(400, "the target of the request is none\n");

    private Mistakes() {}

    /** Returns what is said of what could not be read. */
    static Reply of(Throwable cause) {
        return switch (cause) {
            case TooLongHttpLineException _ -> Reply.text(414, "a line of the request is too long\n");
            case TooLongHttpHeaderException _ -> Reply.text(431, "the headers of the request are too long\n");
            default -> Reply.text(400, "this is no request of HTTP/1.1\n");
        };
    }
}
