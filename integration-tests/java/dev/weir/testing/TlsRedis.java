package dev.weir.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A real Redis that also listens for encrypted connections, at a port of their own. */
public final class TlsRedis implements AutoCloseable {
    private final RedisServer server;
    private final int tlsPort;

    private TlsRedis(RedisServer server, int tlsPort) {
        this.server = server;
        this.tlsPort = tlsPort;
    }

    /**
     * Starts one that asks its clients for no certificate.
     *
     * @param arguments more of redis-server, which win
     */
    public static TlsRedis start(SignedFiles.Pair pair, Path authority, String... arguments) {
        var failures = new ArrayList<String>();
        for (RedisVersion version : RedisVersions.here()) {
            int tlsPort = FreePorts.find();
            var all = new ArrayList<>(List.of("--tls-port", Integer.toString(tlsPort), "--tls-auth-clients", "no"));
            all.addAll(List.of("--tls-cert-file", pair.certificate().toString()));
            all.addAll(List.of("--tls-key-file", pair.key().toString(), "--tls-ca-cert-file", authority.toString()));
            all.addAll(Arrays.asList(arguments));
            try {
                return new TlsRedis(RedisServer.start(version, all.toArray(String[]::new)), tlsPort);
            } catch (AssertionError e) {
                failures.add(e.getMessage()); // some are built without TLS
            }
        }
        throw new AssertionError("no redis-server with TLS is here: " + failures);
    }

    /** Returns the server, which the test asks without encryption. */
    public RedisServer server() {
        return server;
    }

    /** Returns the port for encrypted connections. */
    public int port() {
        return tlsPort;
    }

    @Override
    public void close() {
        server.close();
    }
}
