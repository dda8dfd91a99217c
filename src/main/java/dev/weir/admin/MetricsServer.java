package dev.weir.admin;

import dev.weir.http.Address;
import dev.weir.http.HttpServer;
import dev.weir.http.Packed;
import dev.weir.http.Pages;
import dev.weir.http.Reply;
import dev.weir.loop.EventLoops;
import java.io.IOException;
import java.util.Map;

/** The port on which Prometheus reads what is counted. */
public final class MetricsServer implements AutoCloseable {
    private static final String TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;

    private MetricsServer(HttpServer server) {
        this.server = server;
    }

    /**
     * Opens the port and answers on it until {@link #close}.
     *
     * @param path of the page
     * @param page in Prometheus's text format
     * @param thread on which it reads and writes; it outlives the server
     * @throws IOException if the port cannot be had; its message says why
     */
    public static MetricsServer start(Address address, String path, Packed.Text page, EventLoops thread)
            throws IOException {
        var shown = new OneAtATime(_ -> Reply.packed(TEXT_FORMAT, page));
        return new MetricsServer(HttpServer.start(
                "Prometheus port (PROMETHEUS_ADDR)",
                address,
                new Pages(Map.of(path, shown), AdminServer.NO_PAGE),
                thread));
    }

    /** Returns the port on which it answers. */
    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
    }
}
