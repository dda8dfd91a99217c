package dev.weir.bench;

import dev.weir.bench.request.Route;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.ChannelGroupFuture;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import org.jspecify.annotations.Nullable;

/** Connects to a service, and knows what is connected. */
final class Connector {
    private final EventLoop loop;
    private final Bootstrap sockets;
    private final @Nullable Encryption encryption;
    private final ChannelGroup opened;

    Connector(EventLoop loop, Route route) {
        this(loop, route, Epoll.isAvailable() ? EpollSocketChannel::new : NioSocketChannel::new);
    }

    Connector(EventLoop loop, Route route, ChannelFactory<Channel> channels) {
        this.loop = loop;
        this.sockets = new Bootstrap()
                .group(loop)
                .channelFactory(channels)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Connection.GREETS_WITHIN.toMillis())
                .remoteAddress(route.host(), route.port());
        this.encryption = route.tls() == null ? null : Encryption.of(route.tls(), route);
        this.opened = new DefaultChannelGroup(loop, /* stayClosed= */ true);
    }

    /** Connects; if that fails, the connection will never be ready, and says so in the thread of the event loop. */
    void open(Connection connection) {
        var _ = sockets.clone()
                .handler(encryption == null ? connection : encryption.under(connection))
                .connect()
                .addListener((ChannelFuture connected) -> {
                    if (connected.isSuccess()) {
                        opened.add(connected.channel());
                    } else {
                        // Without a file descriptor there is no channel, and this is a thread of nobody's loop.
                        loop.execute(() -> connection.ready().completeExceptionally(connected.cause()));
                    }
                });
    }

    /** Closes what is connected, and what will be. */
    ChannelGroupFuture close() {
        return opened.close();
    }
}
