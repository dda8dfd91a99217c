package dev.weir.bench;

import dev.weir.tls.ClientTls;
import org.jspecify.annotations.Nullable;

/**
 * The way to a service.
 *
 * @param host name or address
 * @param port of its gRPC
 * @param tls whom to trust and who we are, or null to ask in the clear
 */
public record Route(String host, int port, @Nullable ClientTls tls) {

    /** Returns a way without TLS. */
    public static Route inTheClear(String host, int port) {
        return new Route(host, port, null);
    }

    /** Returns host and port; a literal address of IPv6 stands in brackets there. */
    String authority() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    String scheme() {
        return tls == null ? "http" : "https";
    }
}
