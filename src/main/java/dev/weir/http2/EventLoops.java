package dev.weir.http2;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * The threads on which requests are read, decided and answered: one for each processor, by Linux's own epoll where there is
 * one. gRPC by itself takes twice as many, which on busy processors mostly wake each other up (docs/performance.md).
 */
final class EventLoops {
    private static final boolean IS_EPOLL = Epoll.isAvailable();

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(
            Runtime.getRuntime().availableProcessors(),
            Thread.ofPlatform().daemon().name("weir-grpc-", 1).factory(),
            handlers());

    private static IoHandlerFactory handlers() {
        return IS_EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    }

    private static Class<? extends ServerChannel> channel() {
        return IS_EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    /** Returns a server on these threads. */
    ServerBootstrap server() {
        return new ServerBootstrap().group(group).channel(channel());
    }

    /** Ends the threads, once what they carried has ended. */
    void stop() {
        var _ = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
