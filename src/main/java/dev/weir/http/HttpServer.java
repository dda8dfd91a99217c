package dev.weir.http;

import dev.weir.linux.SystemErrors;
import dev.weir.loop.EventLoops;
import dev.weir.socket.StalledWrites;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Shows pages on a port, over HTTP/1.1 and HTTP/1.0. Reading and writing are one thread's, so nothing that callers share is locked. */
public final class HttpServer implements AutoCloseable {
    private static final int BACKLOG = 128;
    private static final int MOST_CALLERS = 1_000;
    private static final long HELD_BYTES = 4 << 20;
    private static final long UNSENT_BYTES = 16 << 20;

    /** So much is read at once: of what a caller sends ahead, nothing more is held. */
    private static final int READ_BYTES = 4 << 10;

    /** How long calls under way may take when the server is closed. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final Pages pages;
    private final Crowd crowd;
    private final ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Channel listener;
    private final Duration grace;

    private HttpServer(Address address, Pages pages, EventLoops thread, Duration grace) throws IOException {
        this.pages = pages;
        this.grace = grace;
        crowd = new Crowd(MOST_CALLERS, Math.max(HELD_BYTES, 2L * pages.mostBytes()), UNSENT_BYTES);
        var bound = thread.server()
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childOption(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new FixedRecvByteBufAllocator(READ_BYTES).maxMessagesPerRead(1))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        begin(channel);
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getByName(address.host()), address.port()))
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(bound.cause().getMessage(), bound.cause());
        }
        listener = bound.channel();
    }

    /**
     * Opens a port and answers on it until {@link #close}.
     *
     * @param name of the port and of the variables that move it, for people
     * @param address to listen on
     * @param pages to show
     * @param thread on which it reads and writes; it outlives the server
     * @throws IOException if the port cannot be had; its message says which and why
     */
    public static HttpServer start(String name, Address address, Pages pages, EventLoops thread) throws IOException {
        return start(name, address, pages, thread, GRACE);
    }

    /** Opens a port in the same way, whose calls under way may take {@code grace} when the server is closed. */
    static HttpServer start(String name, Address address, Pages pages, EventLoops thread, Duration grace)
            throws IOException {
        try {
            return new HttpServer(address, pages, thread, grace);
        } catch (UnknownHostException e) {
            throw new IOException(refusal(name, address, "there is no such host"), e);
        } catch (IOException e) {
            throw new IOException(refusal(name, address, SystemErrors.words(String.valueOf(e.getMessage()))), e);
        }
    }

    private static String refusal(String name, Address address, String reason) {
        return "The " + name + " cannot be opened on " + address + ": " + reason;
    }

    /** Returns the port on which it answers. */
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    private void begin(Channel channel) {
        if (!crowd.comes()) {
            var _ = channel.close();
            return;
        }
        var _ = open.add(channel);
        var caller = new Caller(pages, crowd);
        var _ = channel.pipeline().addLast(new StalledWrites(), new HttpResponseEncoder(), caller.requests(), caller);
    }

    /** Takes no new connections, lets pages that are asked answer for a second, and ends. Blocks. */
    @Override
    public void close() {
        var _ = listener.close().awaitUninterruptibly();
        each(Caller::leave);
        if (!open.newCloseFuture().awaitUninterruptibly(grace.toMillis(), TimeUnit.MILLISECONDS)) {
            each(Caller::end);
            var _ = open.newCloseFuture().awaitUninterruptibly(grace.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** All at once, as they share a thread: who is told first may end before others would have heard. */
    private void each(Consumer<Caller> action) {
        listener.eventLoop().execute(() -> {
            for (Channel channel : open) {
                Caller caller = channel.pipeline().get(Caller.class);
                if (caller != null) {
                    action.accept(caller);
                }
            }
        });
    }
}
