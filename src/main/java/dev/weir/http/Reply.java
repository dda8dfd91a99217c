package dev.weir.http;

/**
 * What a page answers.
 *
 * @param status of HTTP
 * @param type the body's media type
 * @param body may be empty
 */
public record Reply(int status, String type, String body) {
    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain; charset=utf-8";

    /** Returns an answer in JSON. */
    public static Reply json(int status, String body) {
        return new Reply(status, JSON, body);
    }

    /** Returns an answer for people. */
    public static Reply text(int status, String body) {
        return new Reply(status, TEXT, body);
    }
}
