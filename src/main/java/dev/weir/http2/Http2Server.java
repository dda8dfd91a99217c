package dev.weir.http2;

import dev.weir.call.Gate;
import dev.weir.call.Patience;
import dev.weir.http2.bound.Budgets;
import dev.weir.http2.opening.Methods;
import dev.weir.loop.EventLoops;
import dev.weir.socket.Entrance;
import dev.weir.socket.GivenUp;
import dev.weir.socket.SocketFile;
import dev.weir.socket.StalledWrites;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Answers gRPC's calls on a port. */
public final class Http2Server {
    private static final GivenUp AWAITED =
            new GivenUp("has not begun to speak HTTP/2, and another one needs its place");
    private static final int BACKLOG = 1024;
    private static final WriteBufferWaterMark UNSENT_BYTES = new WriteBufferWaterMark(128 << 10, 512 << 10);
    private static final long HELD_BYTES = 16 << 20;
    private static final long BREAK_OFF_SECONDS = 5;
    private static final long GREETS_WITHIN_SECONDS = 10;

    private final Entrance entrance;
    private final Methods methods;
    private final Budgets budgets;
    private final EventLoops loops;
    private final Map<EventLoop, Gate> gates = new ConcurrentHashMap<>();
    private final ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Patience patience;
    private volatile boolean isStopping;
    private @Nullable Channel listener;

    /**
     * Creates a server that does not listen yet.
     *
     * @param entrance where connections are taken
     * @param methods which it answers
     * @param patience of the callers; calls are turned away when answers would take longer
     * @param loops to do it on; they outlive the server
     */
    public Http2Server(Entrance entrance, Methods methods, Patience patience, EventLoops loops) {
        this.entrance = entrance;
        this.methods = methods;
        this.patience = patience;
        this.loops = loops;
        this.budgets = Budgets.of(Math.max(HELD_BYTES, 2L * methods.maxMessageBytes()));
    }

    /**
     * Begins to listen.
     *
     * @return the port; 0 of a Unix socket
     * @throws IOException if the address cannot be had
     */
    public int start() throws IOException {
        var bound = server().option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNSENT_BYTES)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        begin(channel);
                    }
                })
                .bind(loops.address(entrance.address()))
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(bound.cause());
        }
        listener = bound.channel();
        return listener.localAddress() instanceof InetSocketAddress tcp ? tcp.getPort() : 0;
    }

    private ServerBootstrap server() throws IOException {
        if (entrance.address() instanceof UnixDomainSocketAddress file) {
            SocketFile.makeRoom(file);
            return loops.localServer();
        }
        return loops.server()
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true);
    }

    /** Begins to answer on a connection that was taken, or closes it if there are too many; another one may have to go for it. */
    void begin(Channel channel) {
        var place = entrance.places().take(() -> sendAway(channel));
        if (place == null) {
            var _ = channel.close();
            return;
        }
        var _ = channel.closeFuture().addListener(_ -> place.leave());
        var _ = open.add(channel);
        var gathering = new Gathering(budgets.unsent());
        Connection connection =
                new ConnectionBuilder(methods, budgets, gate(channel.eventLoop()), gathering, place::greeted).next();
        var pipeline = channel.pipeline().addLast(new StalledWrites());
        entrance.handshake().accept(pipeline, place);
        pipeline.addLast(
                gathering,
                connection,
                new Neglected(connection),
                new OldAge(entrance.age(), ThreadLocalRandom.current(), connection));
        Future<?> silence =
                channel.eventLoop().schedule(connection::endUnlessBegun, GREETS_WITHIN_SECONDS, TimeUnit.SECONDS);
        // Places are few, and who says nothing would keep one for as long as a connection may live. The task holds the
        // connection: without this, callers who come and go at once would fill the heap within ten
        // seconds.
        var _ = channel.closeFuture().addListener(_ -> silence.cancel(false));
        if (isStopping) {
            channel.eventLoop()
                    .execute(connection::leave); // it was taken before, and is not among those that were told
        }
    }

    private static void sendAway(Channel channel) {
        tell(channel, connection -> {
            AWAITED.tell(channel);
            connection.breakOff();
        });
    }

    private Gate gate(EventLoop loop) {
        return gates.computeIfAbsent(loop, thread -> new Gate(thread, System::nanoTime, patience));
    }

    /**
     * Takes no new calls, lets those under way finish, and ends. Blocks.
     *
     * @param within after which what is still under way is broken off
     * @throws InterruptedException if the thread is interrupted; what is under way is broken off then too
     */
    public void stop(Duration within) throws InterruptedException {
        isStopping = true;
        try {
            if (listener != null) {
                var _ = listener.close().sync(); // Netty removes the file of a Unix socket then
                listener = null;
            }
            each(Connection::leave);
            if (!areGone(System.nanoTime() + within.toNanos())) {
                each(Connection::breakOff);
                var _ = open.newCloseFuture().await(BREAK_OFF_SECONDS, TimeUnit.SECONDS);
            }
        } finally {
            each(Connection::breakOff);
        }
    }

    private boolean areGone(long endNanos) throws InterruptedException {
        while (!open.isEmpty()) {
            if (!open.newCloseFuture().await(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                return false;
            }
        }
        return true;
    }

    private void each(Consumer<Connection> action) {
        for (Channel channel : open) {
            tell(channel, action);
        }
    }

    private static void tell(Channel channel, Consumer<Connection> action) {
        channel.eventLoop().execute(() -> {
            Connection connection = channel.pipeline().get(Connection.class);
            if (connection != null) {
                action.accept(connection);
            }
        });
    }
}
