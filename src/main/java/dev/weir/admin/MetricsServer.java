package dev.weir.admin;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import java.io.IOException;
import java.util.function.Supplier;

/** The port on which Prometheus reads what is counted. */
public final class MetricsServer implements AutoCloseable {
    private static final String TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8";

    private final WebServer server;

    private MetricsServer(WebServer server) {
        this.server = server;
    }

    /**
     * Opens the port and answers on it until {@link #close}.
     *
     * @param path of the page
     * @param page in Prometheus's text format
     * @throws IOException if the port cannot be had; its message says why
     */
    public static MetricsServer start(Address address, String path, Supplier<String> page) throws IOException {
        var routing = HttpRouting.builder().any(path, Reply.handler(() -> new Reply(200, TEXT_FORMAT, page.get())));
        return new MetricsServer(AdminServer.listen("Prometheus", address, routing));
    }

    /** Returns the port on which it answers. */
    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.stop();
    }
}
