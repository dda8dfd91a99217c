package dev.weir;

import dev.weir.http.Address;
import dev.weir.settings.GrpcSettings;
import dev.weir.settings.Servers;
import dev.weir.settings.Settings;
import dev.weir.socket.Entrance;
import dev.weir.socket.MaxAge;
import dev.weir.socket.Places;
import io.netty.channel.ChannelPipeline;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where callers over gRPC come in, as the settings want it.
 *
 * @param entrance what the server listens on
 * @param place the same in words, with the port that was asked for
 * @param variables that name it
 */
record GrpcPort(Entrance entrance, String place, String variables) {
    // Measured with a call each, and rounded up: 6,500 bytes in the clear, 30,000 with the engine of TLS.
    private static final long CONNECTION_BYTES = 8 << 10;
    private static final long TLS_CONNECTION_BYTES = 32 << 10;
    private static final int SHARE_OF_HEAP = 4;

    private static final Logger LOG = LoggerFactory.getLogger("weir");
    private static final Duration BETWEEN_REFUSALS = Duration.ofMinutes(1);

    static GrpcPort of(Settings settings, Consumer<ChannelPipeline> handshake) {
        GrpcSettings grpc = settings.grpc();
        Servers.Listener listener = settings.servers().grpc();
        return grpc.socket().isEmpty()
                ? of(
                        grpc,
                        handshake,
                        new InetSocketAddress(listener.host(), listener.port()),
                        new Address(listener.host(), listener.port()).toString(),
                        "GRPC_HOST, GRPC_PORT")
                : of(grpc, handshake, UnixDomainSocketAddress.of(grpc.socket()), grpc.socket(), "GRPC_UDS");
    }

    private static GrpcPort of(
            GrpcSettings grpc,
            Consumer<ChannelPipeline> handshake,
            SocketAddress address,
            String place,
            String variables) {
        var entrance = new Entrance(address, new MaxAge(grpc.maxAge(), grpc.grace()), places(grpc), handshake);
        return new GrpcPort(entrance, place, variables);
    }

    private static Places places(GrpcSettings grpc) {
        int most = grpc.maxConnections() > 0 ? grpc.maxConnections() : roomFor(grpc);
        var refusals = new Seldom(BETWEEN_REFUSALS);
        return new Places(
                most,
                () -> refusals.tell(untold -> LOG.warn(
                        "{} connections are all that are taken, and more are closed: see GRPC_MAX_CONNECTIONS and WEIR_HEAP"
                                + " (since the last such line: {})",
                        most,
                        untold)));
    }

    private static int roomFor(GrpcSettings grpc) {
        long bytes = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
        return (int)
                Math.min(Integer.MAX_VALUE, bytes / (grpc.tls() == null ? CONNECTION_BYTES : TLS_CONNECTION_BYTES));
    }

    /** Returns the place once it is open, for the log. */
    String opened(int port) {
        return entrance.address() instanceof InetSocketAddress tcp
                ? new Address(tcp.getHostString(), port).toString()
                : place;
    }
}
