package dev.weir.bench;

import dev.weir.bench.load.BenchException;
import dev.weir.bench.load.Load;
import dev.weir.bench.request.RequestFrames;
import dev.weir.bench.request.Route;
import dev.weir.linux.TimerSlack;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Puts a load on a service and counts what comes back: one thread, one event loop, all connections.
 *
 * <p>It often shares the machine with whom it measures, so it must cost little: no library of gRPC, no object for a request.
 */
public final class Generator implements AutoCloseable, ConnectionListener {
    private static final Duration CONNECTS_AGAIN_AFTER = Duration.ofMillis(100);
    private static final Duration DRAINS_WITHIN = Duration.ofSeconds(2);
    private static final Duration GIVES_UP_EVERY = Duration.ofMillis(1);

    /** More than these would only fill the memory of an open loop that asks for more than the service can do. */
    private static final int MOST_WAITING = Load.MOST_STREAMS;

    private static final Duration GLANCE = Duration.ofMillis(10);

    private final Load load;
    private final Route route;
    private final RequestFrames frames;
    private final SplittableRandom seeds;
    private final Pace pace;
    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1, Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    private final EventLoop loop = group.next();
    private final Connector connector;
    private final Waiting.Places places = new Waiting.Places(MOST_WAITING);
    private final List<Connection> connections = new ArrayList<>();
    private final List<Connection> leaving = new ArrayList<>();
    private final List<Connection> busy = new ArrayList<>();
    private Totals totals = new Totals();
    private boolean isRunning;

    private Generator(Load load, Route route) {
        this.load = load;
        this.route = route;
        this.connector = new Connector(loop, route);
        this.frames = RequestFrames.of(load, route);
        this.seeds = new SplittableRandom(load.seed());
        this.pace = Pace.of(load.pacing());
    }

    /**
     * Connects to a service; over TLS, hands are shaken then.
     *
     * @throws BenchException if nobody is there, or something else
     */
    public static Generator connect(Load load, Route route) throws InterruptedException {
        var generator = new Generator(load, route);
        try {
            generator.connect();
            return generator;
        } catch (BenchException | InterruptedException e) {
            generator.close();
            throw e;
        }
    }

    private void connect() throws InterruptedException {
        var opening = new ArrayList<CompletableFuture<Connection>>();
        for (int i = 0; i < load.connections(); i++) {
            opening.add(open());
        }
        try {
            CompletableFuture.allOf(opening.toArray(CompletableFuture[]::new)).get();
        } catch (ExecutionException e) {
            boolean isGreeted = !opening.stream().allMatch(CompletableFuture::isCompletedExceptionally);
            throw new BenchException(route.failure(e.getCause(), isGreeted));
        }
        opening.forEach(connection -> connections.add(connection.join()));
    }

    private CompletableFuture<Connection> open() {
        var outgoing = new Outgoing(frames, load.keys(), seeds.split());
        var connection = new Connection(outgoing, this, places, Connection.LAST_STREAM_ID);
        connector.open(connection);
        return connection.ready();
    }

    /** Begins to send. */
    public void begin() throws InterruptedException {
        onLoop(() -> {
            isRunning = true;
            TimerSlack.none();
            connections.stream().filter(connection -> !connection.isOpen()).forEach(this::replace);
            pace.begin(loop, connections);
            if (load.deadline().isPositive()) {
                long every = GIVES_UP_EVERY.toNanos();
                var _ = loop.scheduleAtFixedRate(this::giveUp, every, every, TimeUnit.NANOSECONDS);
            }
            return totals;
        });
    }

    /** Returns what was counted since it began, or since the last time. */
    public Totals take() throws InterruptedException {
        return onLoop(this::swap);
    }

    /** What is handed on is not written to any more. */
    private Totals swap() {
        var ended = totals;
        totals = new Totals();
        return ended;
    }

    /**
     * Sends no more, waits for what is still to come, and returns what was counted since the last time. What is under way
     * belongs to it, so that nobody who waited long is left out; who is not answered within two seconds is an error.
     */
    public Totals finish() throws InterruptedException {
        onLoop(() -> {
            pace.end();
            return totals;
        });
        long end = System.nanoTime() + DRAINS_WITHIN.toNanos();
        while (onLoop(this::unanswered) > 0 && end - System.nanoTime() > 0) {
            Thread.sleep(GLANCE);
        }
        return onLoop(() -> {
            isRunning = false;
            for (int missing = unanswered(); missing > 0; missing--) {
                totals.failed(Failure.UNANSWERED);
            }
            return swap(); // answers that come later are not counted again
        });
    }

    private int unanswered() {
        return Stream.concat(connections.stream(), leaving.stream())
                .mapToInt(Connection::unanswered)
                .sum();
    }

    private void giveUp() {
        long startNanos = System.nanoTime() - load.deadline().toNanos();
        busy.removeIf(connection -> !connection.giveUp(startNanos));
    }

    private <T> T onLoop(Callable<T> task) throws InterruptedException {
        try {
            return loop.submit(task).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public void answered(Connection connection, long startNanos, boolean isOver) {
        long nanos = System.nanoTime() - startNanos;
        if (load.deadline().isPositive() && nanos > load.deadline().toNanos()) {
            totals.late(nanos);
        } else {
            totals.answered(nanos, isOver);
        }
        pace.completed(connection);
    }

    @Override
    public void late(Connection connection, long startNanos) {
        totals.late(System.nanoTime() - startNanos);
        pace.completed(connection);
    }

    @Override
    public void failed(Connection connection, Failure failure) {
        totals.failed(failure);
        pace.completed(connection);
    }

    /** Without a deadline nobody gives up, and none is listed. */
    @Override
    public void busy(Connection connection) {
        if (load.deadline().isPositive()) {
            busy.add(connection);
        }
    }

    /** Brings no other request, as there would be no place for it either. */
    @Override
    public void unsent(Connection connection) {
        totals.failed(Failure.UNSENT);
    }

    @Override
    public void leaving(Connection connection) {
        succeed(connection);
    }

    @Override
    public void dismissed(Connection connection, Failure error) {
        totals.dismissed(error);
    }

    @Override
    public void lost(Connection connection) {
        totals.lostConnection();
        succeed(connection);
    }

    /** A service that ended a connection without having served there may do so with the next, however many there are. */
    private void succeed(Connection gone) {
        if (isRunning && gone.hasServed()) {
            replace(gone);
        } else if (isRunning) {
            replaceLater(gone);
        }
    }

    private void replaceLater(Connection gone) {
        var _ = loop.schedule(() -> replace(gone), CONNECTS_AGAIN_AFTER.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Opens a connection in the place of another, and tries again if it cannot. */
    private void replace(Connection lost) {
        var _ = open().whenComplete((fresh, failure) -> {
            if (failure == null && isRunning) {
                connections.set(connections.indexOf(lost), fresh);
                lost.handOver(fresh);
                leaving.removeIf(connection -> connection.unanswered() == 0);
                leaving.add(lost);
                pace.joined(fresh);
            } else if (isRunning) {
                totals.failedReconnect();
                lost.expectNoSuccessor();
                replaceLater(lost);
            }
        });
    }

    /** Replaces nothing any more, then closes what is open: the end of the thread alone would do neither for sure. */
    @Override
    public void close() {
        if (!group.isShuttingDown()) {
            var _ = loop.submit(() -> isRunning = false).awaitUninterruptibly();
            var _ = connector.close().awaitUninterruptibly();
        }
        var _ = group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
