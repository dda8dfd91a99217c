package dev.weir.admin;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerResponse;
import java.nio.charset.StandardCharsets;

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

    static Reply json(int status, String body) {
        return new Reply(status, JSON, body);
    }

    static Reply text(int status, String body) {
        return new Reply(status, TEXT, body);
    }

    void send(ServerResponse response) {
        response.status(status);
        if (body.isEmpty()) {
            response.send();
        } else {
            response.header(HeaderNames.CONTENT_TYPE, type).send(body.getBytes(StandardCharsets.UTF_8));
        }
    }
}
