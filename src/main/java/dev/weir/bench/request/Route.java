package dev.weir.bench.request;

import dev.weir.tls.ClientTls;
import io.netty.channel.ChannelException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
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

    /**
     * Returns why no connection could be made this way, in a sentence.
     *
     * @param isGreeted whether the service greeted us on another one
     */
    public String failure(@Nullable Throwable cause, boolean isGreeted) {
        return switch (cause) {
            case ConnectException _ -> "nobody listens at %s, or nobody lets us in".formatted(authority());
            case UnknownHostException _ -> "there is no host '%s'".formatted(host);
            case IOException e -> "%s cannot be reached: %s".formatted(authority(), e.getMessage());
            // Mostly there are no more file descriptors, of which only the first of the causes tells.
            case ChannelException e -> "no connection can be made: " + root(e).getMessage();
            case null -> "%s cannot be reached".formatted(authority());
            default ->
                isGreeted
                        ? "%s greeted some connections and not others: %s; it may have no room for so many (--connections)"
                                .formatted(authority(), cause.getMessage())
                        : "%s does not speak HTTP/2 %s TLS: %s"
                                .formatted(authority(), tls == null ? "without" : "with us over", told(cause));
        };
    }

    private static String told(Throwable cause) {
        String words = String.valueOf(cause.getMessage());
        return ClientTls.isForAnotherName(words) ? words + " (--name)" : words;
    }

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    String scheme() {
        return tls == null ? "http" : "https";
    }
}
