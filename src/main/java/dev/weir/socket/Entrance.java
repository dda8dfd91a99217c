package dev.weir.socket;

import dev.weir.socket.Places.Place;
import io.netty.channel.ChannelPipeline;
import java.net.SocketAddress;
import java.util.function.BiConsumer;

/**
 * Where connections are taken, and what holds for each of them.
 *
 * @param address to listen on: of TCP (port 0 takes a free one), or of a Unix socket
 * @param age how old a connection may get
 * @param places how many connections there may be
 * @param handshake is given each connection while it is empty, and its place, to add what stands between the socket and HTTP/2
 */
public record Entrance(SocketAddress address, MaxAge age, Places places, BiConsumer<ChannelPipeline, Place> handshake) {

    /** Returns an entrance without TLS, where connections live as long as callers like, as many as they like. */
    public static Entrance plain(SocketAddress address) {
        return new Entrance(address, MaxAge.NONE, Places.unbounded(), (_, _) -> {});
    }
}
