package dev.weir.tls;

import java.util.List;
import java.util.regex.Pattern;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * The name of the service that a client sends ahead in a TLS handshake (SNI, RFC 6066), by which a server or a proxy with several certificates chooses one. Java by
 * itself sends none that has no dot, as {@code localhost} and a Kubernetes Service in the caller's own namespace.
 */
public final class ServerNames {
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|.*:.*");

    private ServerNames() {}

    /** Returns the name of a host as it is sent ahead, or null if there is none: it is an address, or no name that DNS allows. */
    public static @Nullable SNIServerName of(String host) {
        if (ADDRESS.matcher(host).matches()) {
            return null;
        }
        try {
            return new SNIHostName(host);
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    /** Has the client's side of a handshake that has not begun yet send ahead the name of the host that it was made for. */
    public static void sendAhead(SSLEngine engine) {
        String host = engine.getPeerHost();
        SNIServerName name = host == null ? null : of(host);
        if (name != null) {
            var parameters = engine.getSSLParameters();
            parameters.setServerNames(List.of(name));
            engine.setSSLParameters(parameters);
        }
    }
}
