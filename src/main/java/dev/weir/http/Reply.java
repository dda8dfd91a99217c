package dev.weir.http;

import java.util.Map;

/**
 * What a page answers.
 *
 * @param status of HTTP
 * @param type the body's media type
 * @param body may be empty
 * @param headers beside those that every answer has
 */
public record Reply(int status, String type, String body, Map<String, String> headers) {
    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain; charset=utf-8";

    public Reply {
        headers = Map.copyOf(headers);
    }

    /** Returns an answer without headers of its own. */
    public static Reply of(int status, String type, String body) {
        return new Reply(status, type, body, Map.of());
    }

    /** Returns an answer in JSON. */
    public static Reply json(int status, String body) {
        return of(status, JSON, body);
    }

    /** Returns an answer for people. */
    public static Reply text(int status, String body) {
        return of(status, TEXT, body);
    }

    /** Returns the same answer with this header alone. */
    public Reply with(String name, String value) {
        return new Reply(status, type, body, Map.of(name, value));
    }
}
