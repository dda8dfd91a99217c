package dev.weir.bench;

import io.grpc.netty.shaded.io.netty.bootstrap.Bootstrap;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoop;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Puts a load on a service and counts what comes back: one thread, one event loop, all connections.
 *
 * <p>It shares the machine with whom it measures, so its own cost is part of every number and is reported with them.
 */
final class Generator implements AutoCloseable, Connection.Listener {
    private static final Duration CONNECTS_WITHIN = Duration.ofSeconds(10);
    private static final Duration DRAINS_WITHIN = Duration.ofSeconds(2);
    private static final Duration GIVES_UP_EVERY = Duration.ofMillis(1);
    private static final Duration GLANCE = Duration.ofMillis(10);
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Load load;
    private final Target target;
    private final Pace pace;
    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1, Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    private final EventLoop loop = group.next();
    private final List<Connection> connections = new ArrayList<>();
    private Tally tally;

    Generator(Load load, Target target) {
        this.load = load;
        this.target = target;
        this.pace = Pace.of(load);
        this.tally = fresh();
    }

    /**
     * Connects, warms the service up and measures.
     *
     * @param warmup time before the first round, under the same load
     * @param round time of each round
     * @param rounds how many
     */
    List<Round> run(Duration warmup, Duration round, int rounds) throws InterruptedException {
        connect();
        if (load.deadline().isPositive()) {
            long every = GIVES_UP_EVERY.toNanos();
            var _ = loop.scheduleAtFixedRate(this::giveUp, every, every, TimeUnit.NANOSECONDS);
        }
        onLoop(() -> {
            pace.begin(loop, connections);
            return tally;
        });
        Thread.sleep(warmup);
        var measured = new ArrayList<Round>(rounds);
        swap();
        for (int i = 1; i <= rounds; i++) {
            long startNanos = System.nanoTime();
            var startCpu = CpuTimes.now(target);
            Thread.sleep(round);
            double seconds = (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
            var cpu = CpuTimes.now(target).since(startCpu);
            // What is still under way at the end belongs to the last round, so that nobody who waited long is left out.
            measured.add(new Round(seconds, i < rounds ? swap() : drain(), cpu));
        }
        return measured;
    }

    private void giveUp() {
        long startNanos = System.nanoTime() - load.deadline().toNanos();
        for (var connection : connections) {
            connection.giveUp(startNanos);
        }
    }

    private void connect() throws InterruptedException {
        var template = RequestTemplate.of(load, target.host() + ":" + target.port());
        var bootstrap = new Bootstrap()
                .group(loop)
                .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true);
        for (int i = 0; i < load.connections(); i++) {
            var connection = new Connection(template, load.users(), i, this);
            connections.add(connection);
            var _ = bootstrap
                    .handler(connection)
                    .connect(target.host(), target.port())
                    .addListener(connected -> {
                        if (!connected.isSuccess()) {
                            connection.ready().completeExceptionally(connected.cause());
                        }
                    });
        }
        for (var connection : connections) {
            try {
                connection.ready().get(CONNECTS_WITHIN.toSeconds(), TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new BenchException("%s:%d does not speak HTTP/2 with us: %s"
                        .formatted(target.host(), target.port(), e.getCause() == null ? e : e.getCause()));
            }
        }
    }

    /** Ends the tally under way and begins a new one. */
    private Tally swap() throws InterruptedException {
        return onLoop(() -> {
            var ended = tally;
            tally = fresh();
            return ended;
        });
    }

    /** Sends no more and waits for what is still to come; who is not answered then is an error. */
    private Tally drain() throws InterruptedException {
        onLoop(() -> {
            pace.end();
            return tally;
        });
        long end = System.nanoTime() + DRAINS_WITHIN.toNanos();
        while (onLoop(this::unanswered) > 0 && System.nanoTime() < end) {
            Thread.sleep(GLANCE);
        }
        return onLoop(() -> {
            for (int missing = unanswered(); missing > 0; missing--) {
                tally.failed("no answer until the end");
            }
            return tally;
        });
    }

    private int unanswered() {
        return connections.stream().mapToInt(Connection::unanswered).sum();
    }

    private Tally fresh() {
        return new Tally(load.deadline().toNanos());
    }

    private <T> T onLoop(Callable<T> task) throws InterruptedException {
        try {
            return loop.submit(task).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public void answered(Connection connection, long startNanos, boolean isRefused) {
        tally.answered(System.nanoTime() - startNanos, isRefused);
        pace.completed(connection);
    }

    @Override
    public void failed(Connection connection, String reason) {
        tally.failed(reason);
        pace.completed(connection);
    }

    @Override
    public void close() {
        var _ = group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
