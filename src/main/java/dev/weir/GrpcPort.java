package dev.weir;

import dev.weir.http.Address;
import dev.weir.settings.GrpcSettings;
import dev.weir.settings.Servers;
import dev.weir.settings.Settings;
import dev.weir.socket.Entrance;
import dev.weir.socket.MaxAge;
import dev.weir.socket.Places;
import dev.weir.socket.Places.Place;
import dev.weir.socket.Seldom;
import io.netty.channel.ChannelPipeline;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.function.BiConsumer;
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
    private static final Logger LOG = LoggerFactory.getLogger("weir");
    private static final Duration BETWEEN_REFUSALS = Duration.ofMinutes(1);

    /** As long as a handshake of TLS takes with a caller at the other end of the world; decision 29. */
    private static final Duration PATIENCE = Duration.ofMillis(500);

    static GrpcPort of(Settings settings, BiConsumer<ChannelPipeline, Place> handshake) {
        GrpcSettings grpc = settings.grpc();
        Servers.Listener listener = settings.servers().grpc();
        SocketAddress address = grpc.socket().isEmpty()
                ? new InetSocketAddress(listener.host(), listener.port())
                : UnixDomainSocketAddress.of(grpc.socket());
        var entrance = new Entrance(
                address,
                new MaxAge(grpc.maxAge(), grpc.grace()),
                places(grpc.maxConnections(), Room.of(settings)),
                handshake);
        return grpc.socket().isEmpty()
                ? new GrpcPort(
                        entrance, new Address(listener.host(), listener.port()).toString(), "GRPC_HOST, GRPC_PORT")
                : new GrpcPort(entrance, grpc.socket(), "GRPC_UDS");
    }

    private static Places places(int wanted, Room room) {
        int most = wanted > 0 ? wanted : room.connections();
        if (room.amongFiles() < (wanted > 0 ? wanted : room.inHeap())) {
            LOG.warn(
                    "the limit on open files (LimitNOFILE, ulimit -Hn) leaves room for {} connections of callers: {}",
                    room.amongFiles(),
                    wanted > 0
                            ? "GRPC_MAX_CONNECTIONS lets more in, and then nobody may be able to ask how Weir is"
                            : "no more are taken, although the heap has room for " + room.inHeap());
        }
        var refusals = new Seldom(BETWEEN_REFUSALS);
        return new Places(
                most,
                PATIENCE,
                () -> refusals.tell(untold -> LOG.warn(
                        "{} connections are all that are taken, and more are closed: see GRPC_MAX_CONNECTIONS, WEIR_HEAP and the"
                                + " limit on open files (since the last such line: {})",
                        most,
                        untold)));
    }

    /** Returns the place once it is open, for the log. */
    String opened(int port) {
        return entrance.address() instanceof InetSocketAddress tcp
                ? new Address(tcp.getHostString(), port).toString()
                : place;
    }
}
