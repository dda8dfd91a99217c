package dev.weir.http;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a page answers.
 *
 * @param status of HTTP
 * @param type the body's media type
 * @param body may be empty, and is so of an answer that is packed
 * @param packed a body that is long; null of all others
 * @param headers beside those that every answer has
 */
public record Reply(
        int status, String type, String body, @Nullable Packed packed, Map<String, String> headers) {
    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain; charset=utf-8";

    public Reply {
        headers = Map.copyOf(headers);
    }

    private static Reply of(int status, String type, String body) {
        return new Reply(status, type, body, null, Map.of());
    }

    /** Returns an answer in JSON. */
    public static Reply json(int status, String body) {
        return of(status, JSON, body);
    }

    /** Returns an answer for people. */
    public static Reply text(int status, String body) {
        return of(status, TEXT, body);
    }

    /** Returns a long answer for people. */
    public static Reply packed(Packed.Text body) {
        return packed(TEXT, body);
    }

    /** Returns a long answer. */
    public static Reply packed(String type, Packed.Text body) {
        return new Reply(200, type, "", Packed.of(body), Map.of());
    }

    /** Returns the same answer with one header more. */
    public Reply with(String name, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, value);
        return new Reply(status, type, body, packed, more);
    }
}
