package dev.weir;

import dev.weir.admin.Address;
import dev.weir.settings.GrpcSettings;
import dev.weir.settings.Servers;
import dev.weir.settings.Settings;
import dev.weir.socket.Entrance;
import dev.weir.socket.MaxAge;
import io.netty.channel.ChannelPipeline;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.function.Consumer;

/**
 * Where callers over gRPC come in, as the settings want it.
 *
 * @param entrance what the server listens on
 * @param place the same in words, with the port that was asked for
 * @param variables that name it
 */
record GrpcPort(Entrance entrance, String place, String variables) {

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
        var entrance = new Entrance(address, new MaxAge(grpc.maxAge(), grpc.grace()), handshake);
        return new GrpcPort(entrance, place, variables);
    }

    /** Returns the place once it is open, for the log. */
    String opened(int port) {
        return entrance.address() instanceof InetSocketAddress tcp
                ? new Address(tcp.getHostString(), port).toString()
                : place;
    }
}
