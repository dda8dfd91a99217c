package dev.weir.testing;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** The service behind an Envoy: answers every request with 200 and counts it. */
public final class Upstream implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicLong requests = new AtomicLong();

    private Upstream() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    /** Starts one on a free port; its answers are empty. */
    public static Upstream start() {
        return start("");
    }

    /** Starts one on a free port, which answers with {@code body}. */
    public static Upstream start(String body) {
        return start(body, 1);
    }

    /** Starts one on a free port, which answers with {@code body} so many times over. */
    public static Upstream start(String body, int times) {
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        try {
            var upstream = new Upstream();
            upstream.server.setExecutor(upstream.executor);
            upstream.server.createContext("/", exchange -> {
                upstream.requests.incrementAndGet();
                exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : (long) bytes.length * times);
                for (int i = 0; i < times && bytes.length > 0; i++) {
                    exchange.getResponseBody().write(bytes);
                }
                exchange.close();
            });
            upstream.server.start();
            return upstream;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns its port on the loopback interface. */
    public int port() {
        return server.getAddress().getPort();
    }

    /** Returns how many requests have reached it. */
    public long requests() {
        return requests.get();
    }

    @Override
    public void close() {
        server.stop(0);
        executor.close();
    }
}
