package dev.weir.testing;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

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
        int tlsPort = FreePorts.find();
        var all = Stream.concat(Stream.of("--tls-auth-clients", "no"), Arrays.stream(arguments))
                .toArray(String[]::new);
        var tls = new RedisEncryption(pair, authority).arguments(tlsPort, all);
        return new TlsRedis(RedisServer.start(RedisEncryption.version(), tls), tlsPort);
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
