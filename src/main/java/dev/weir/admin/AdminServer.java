package dev.weir.admin;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;

/**
 * HTTP on two ports: one for callers and probes, one for operators.
 *
 * <p>The first has {@code /json} and the pages of probes ({@link ProbePages}); the second has {@code /} (what there is), {@code /rlconfig}
 * (the rules in force) and {@code /stats}, and should not be open to everyone.
 */
public final class AdminServer implements AutoCloseable {
    /** How long calls under way may take when the server is closed. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private static final String ENDPOINTS = """
            /rlconfig: the rules in force
            /stats: counters and gauges of this process
            """;

    private final WebServer open;
    private final WebServer debug;
    private final int port;
    private final int debugPort;

    private AdminServer(WebServer open, WebServer debug) {
        this.open = open;
        this.debug = debug;
        port = open.port();
        debugPort = debug.port();
    }

    /**
     * Opens both ports and answers on them until {@link #close}.
     *
     * @throws IOException if one of them cannot be had; its message says which. Neither is open then
     */
    public static AdminServer start(Address openAddress, Address debugAddress, Inside inside) throws IOException {
        var json = new JsonPage(inside);
        var routing = HttpRouting.builder().any("/json", json::handle);
        new ProbePages(inside.probes()).addTo(routing);
        var open = listen("HTTP", openAddress, routing);
        try {
            var debug = listen("debug", debugAddress, debugPages(inside));
            return new AdminServer(open, debug);
        } catch (IOException e) {
            open.stop();
            throw e;
        }
    }

    /** Returns the port on which callers are answered. */
    public int port() {
        return port;
    }

    /** Returns the port on which operators are answered. */
    public int debugPort() {
        return debugPort;
    }

    /** Closes both ports; calls under way have a second to end. */
    @Override
    public void close() {
        open.stop();
        debug.stop();
    }

    private static HttpRouting.Builder debugPages(Inside inside) {
        var ruleLines = new RuleLines(inside.fixedWindowCharge());
        return HttpRouting.builder()
                .any("/", Reply.handler(() -> Reply.text(200, ENDPOINTS)))
                .any(
                        "/rlconfig",
                        Reply.handler(() ->
                                Reply.text(200, ruleLines.text(inside.rules().get()))))
                .any(
                        "/stats",
                        Reply.handler(
                                () -> Reply.text(200, lines(inside.statistics().get()))))
                .any(Reply.handler(() -> Reply.text(404, "There is no such page. There are\n" + ENDPOINTS)));
    }

    private static String lines(Iterable<String> lines) {
        return String.join("\n", lines) + "\n";
    }

    static WebServer listen(String name, Address address, HttpRouting.Builder routing) throws IOException {
        var host = tryToBind(name, address);
        var server = WebServer.builder()
                .address(host)
                .port(address.port())
                .shutdownHook(false)
                .shutdownGracePeriod(GRACE)
                .routing(routing.any(Reply.handler(() -> Reply.text(404, "There is no such page.\n"))))
                .build()
                .start();
        if (!server.isRunning()) {
            throw new IOException(refusal(name, address, "the log says why"));
        }
        return server;
    }

    /** Helidon logs a stack and goes on where it cannot bind, so what an operator can get wrong is found before. */
    private static InetAddress tryToBind(String name, Address address) throws IOException {
        try (var socket = new ServerSocket()) {
            var host = InetAddress.getByName(address.host());
            socket.bind(new InetSocketAddress(host, address.port()));
            return host;
        } catch (UnknownHostException e) {
            throw new IOException(refusal(name, address, "there is no such host"), e);
        } catch (IOException e) {
            throw new IOException(refusal(name, address, String.valueOf(e.getMessage())), e);
        }
    }

    private static String refusal(String name, Address address, String reason) {
        return "The " + name + " port cannot be opened on " + address + ": " + reason;
    }
}
