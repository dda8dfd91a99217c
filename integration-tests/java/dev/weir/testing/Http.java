package dev.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Plain HTTP/1.1 requests of a test. */
public final class Http {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();

    private Http() {}

    /**
     * Asks with GET.
     *
     * @param headers names and values in turn
     * @throws UncheckedIOException if there is no answer
     */
    public static HttpResponse<String> get(URI uri, String... headers) {
        var request = HttpRequest.newBuilder(uri);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(uri, request);
    }

    /**
     * Asks with POST.
     *
     * @param headers names and values in turn
     * @throws UncheckedIOException if there is no answer
     */
    public static HttpResponse<String> post(URI uri, String body, String... headers) {
        return send("POST", uri, body, headers);
    }

    /**
     * Asks with any method.
     *
     * @param headers names and values in turn
     * @throws UncheckedIOException if there is no answer
     */
    public static HttpResponse<String> send(String method, URI uri, String body, String... headers) {
        var request = HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(uri, request);
    }

    private static HttpResponse<String> send(URI uri, HttpRequest.Builder request) {
        request.timeout(TIMEOUT);
        try {
            return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(uri + " did not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while asking " + uri, e);
        }
    }

    /** Returns whether {@code uri} answers 200 with a body that begins with {@code start}. */
    public static boolean answers(URI uri, String start) {
        try {
            var response = get(uri);
            return response.statusCode() == 200 && response.body().startsWith(start);
        } catch (UncheckedIOException _) {
            return false; // nobody listens yet
        }
    }
}
