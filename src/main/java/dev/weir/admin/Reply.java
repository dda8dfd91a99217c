package dev.weir.admin;

import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/**
 * What a page answers.
 *
 * @param status of HTTP
 * @param type the body's media type
 * @param body may be empty
 */
record Reply(int status, String type, String body) {
    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final byte[] NOTHING = {};

    static Reply json(int status, String body) {
        return new Reply(status, JSON, body);
    }

    static Reply text(int status, String body) {
        return new Reply(status, TEXT, body);
    }

    /** Returns what answers every request with a reply of its own. */
    static Handler handler(Supplier<Reply> reply) {
        return (request, response) -> reply.get().send(request, response);
    }

    void send(ServerRequest request, ServerResponse response) {
        response.status(status);
        if (body.isEmpty()) {
            response.send();
            return;
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        response.header(HeaderNames.CONTENT_TYPE, type)
                .header(HeaderNames.CONTENT_LENGTH, Integer.toString(bytes.length));
        // Helidon sends what it is given: after HEAD a caller would take the body for the beginning of the next answer.
        response.send(request.prologue().method().equals(Method.HEAD) ? NOTHING : bytes);
    }
}
