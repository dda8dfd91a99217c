package dev.weir.loop;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;

/**
 * The threads on which requests are read, decided and answered: one for each processor, by Linux's own epoll where there is
 * one. Callers and the store share them. More threads than processors mostly wake each other up (docs/decisions/0012).
 */
public final class EventLoops implements AutoCloseable {
    private static final boolean IS_EPOLL = Epoll.isAvailable();

    /** The number of the thread. Without it, each request would search all loops for its own twice: 0.1 us with 64 of them. */
    private static final FastThreadLocal<Integer> NUMBER = new FastThreadLocal<>();

    /**
     * What Linux takes for a socket beyond what is under way to its reader. It would take up to 4 MiB for each that nobody
     * reads, which no bound of ours sees, but the container's does, and there may be thousands of them.
     */
    static final long UNSENT_BYTES = 16 << 10;

    private final int count;
    private final EventLoopGroup group;
    private final EventLoop[] loops;
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();

    /** Starts one for each processor. */
    public EventLoops() {
        this(Runtime.getRuntime().availableProcessors(), "weir-loop");
    }

    private EventLoops(int count, String name) {
        this.count = count;
        group = new MultiThreadIoEventLoopGroup(count, new Threads(name), handlers());
        loops = StreamSupport.stream(group.spliterator(), false)
                .map(EventLoop.class::cast)
                .toArray(EventLoop[]::new);
        try {
            for (int i = 0; i < loops.length; i++) {
                int number = i;
                loops[i].execute(() -> NUMBER.set(number)); // the first task of each
            }
        } catch (RuntimeException | Error e) { // no room for so many threads
            close();
            throw e;
        }
    }

    /** Starts a single one, for what must go on while the others stand still. */
    public static EventLoops single(String name) {
        return new EventLoops(1, name);
    }

    private static IoHandlerFactory handlers() {
        return IS_EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    }

    private static Class<? extends ServerChannel> channel() {
        return IS_EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    /** Returns whether these threads wait by epoll, so that their sockets must be of its kind. */
    public boolean isEpoll() {
        return IS_EPOLL;
    }

    /** Returns a server on these threads. */
    public ServerBootstrap server() {
        var server = new ServerBootstrap().group(group).channel(channel());
        return IS_EPOLL ? server.childOption(EpollChannelOption.TCP_NOTSENT_LOWAT, UNSENT_BYTES) : server;
    }

    /** Returns a server for a Unix socket on these threads; {@link #address} makes its address. */
    public ServerBootstrap localServer() {
        return new ServerBootstrap()
                .group(group)
                .channel(IS_EPOLL ? EpollServerDomainSocketChannel.class : NioServerDomainSocketChannel.class);
    }

    /** Returns the address in the form that sockets of these threads take. */
    public SocketAddress address(SocketAddress address) {
        return IS_EPOLL && address instanceof UnixDomainSocketAddress file
                ? new DomainSocketAddress(file.getPath().toString())
                : address;
    }

    /**
     * Runs a task when the calling thread has read all that its sockets have for it now; at once if it is none of these
     * threads. What many requests need once is done once for all of a round that way.
     */
    public void afterRound(Runnable task) {
        int current = current();
        if (current < 0) {
            task.run();
        } else {
            loops[current].execute(task); // its tasks have their turn after its sockets
        }
    }

    /** Returns the number of the calling thread, from 0; -1 if it is none of these. */
    public int current() {
        if (!FastThreadLocalThread.currentThreadHasFastThreadLocal()) {
            return -1; // a look would leave a map behind on each thread of an application
        }
        Integer number = NUMBER.getIfExists(); // of whichever threads of loops it is
        return number != null && number < loops.length && loops[number].inEventLoop() ? number : -1;
    }

    /** Returns the thread of a number from 0. */
    public EventLoop loop(int number) {
        return loops[number];
    }

    /** Returns how many threads there are. */
    public int count() {
        return count;
    }

    /**
     * Returns how many threads have not run a task of ours when this time is over; returns at once when all of them have.
     * Blocks, so none of them may ask.
     */
    public int silent(Duration patience) {
        var awaited = new CountDownLatch(count);
        for (EventLoop loop : loops) {
            loop.execute(awaited::countDown);
        }
        try {
            var _ = awaited.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // whoever asked is told to hurry, and gets what is known by now
        }
        return (int) awaited.getCount();
    }

    /** Ends the threads, once what they carried has ended. Does not wait for that. */
    @Override
    public void close() {
        var _ = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    /**
     * Waits until the threads have ended after {@link #close}, to their last step: they give back buffers in it, and find no more
     * class of an application whose class loader is closed by then. Does not wait on one of them.
     */
    public void awaitEnd(Duration patience) {
        if (current() >= 0) {
            return;
        }
        long end = System.nanoTime() + patience.toNanos();
        try {
            for (Thread thread : threads) {
                var _ = thread.join(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // whoever ends this is told to hurry
        }
    }

    /** Its threads find Netty's thread locals without a search. */
    private final class Threads extends DefaultThreadFactory {
        Threads(String name) {
            super(name, true);
        }

        @Override
        protected Thread newThread(Runnable work, String name) {
            Thread thread = super.newThread(work, name);
            threads.add(thread);
            return thread;
        }
    }
}
