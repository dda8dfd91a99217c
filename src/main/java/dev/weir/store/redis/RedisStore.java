package dev.weir.store.redis;

import dev.weir.loop.EventLoops;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Queued;
import dev.weir.store.Reading;
import dev.weir.store.Shelf;
import dev.weir.store.Store;
import dev.weir.store.StoreBusyException;
import dev.weir.store.WaitingRoom;
import dev.weir.store.redis.RedisOptions.Topology;
import dev.weir.store.redis.plain.Probe;
import dev.weir.store.redis.plain.ShortWay;
import dev.weir.store.redis.shelf.RedisShelf;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counters in Redis, shared by every replica that asks the same one.
 *
 * <p>A thread of its own connects and keeps in touch ({@link Pulse}); plans do not wait for it.
 */
public final class RedisStore implements Store {
    private static final Logger LOG = LoggerFactory.getLogger(RedisStore.class);

    // More connections than these many threads hold would weigh on Redis more than a change of threads does here.
    private static final int MOST_LINES = 8;

    /** No counter's key: those have a hash tag here. */
    private static final String SHELF = "weir:rules";

    /** A connection that cannot be had may take ten seconds to fail. */
    private static final Duration PATIENCE_WITH_CONNECTING = Duration.ofSeconds(1);

    /** Redisson is told to take no more than a second. */
    static final Duration PATIENCE_WITH_ENDS = Duration.ofSeconds(3);

    private static final long PAUSE_NANOS = Duration.ofMillis(5).toNanos();

    private final WaitingRoom waiting = new WaitingRoom();
    private final EventLoops loops;
    private final HashTags tags;
    private final boolean isCluster;
    private final List<Line> lines;
    private final Pulse pulse;
    private final Thread pulseThread;
    private final Shelf shelf;

    private RedisStore(RedisOptions options, EventLoops loops, RedisListener listener, Script script, String name) {
        this.loops = loops;
        this.tags = new HashTags(options.keyPrefix(), options.hashTags());
        this.isCluster = options.topology() instanceof Topology.Cluster;
        ShortWay[] shortWays = Stream.generate(new ShortWay()::another)
                .limit(isCluster ? tags.count() : 1)
                .toArray(ShortWay[]::new);
        this.lines = IntStream.range(0, Math.min(loops.count(), MOST_LINES))
                .mapToObj(loop -> new RedisLink(options, script, loops, loop))
                .map(link -> new Line(link, options, tags, listener, waiting, loops, shortWays))
                .toList();
        List<CounterKey> pulseKeys = isCluster ? Pulse.keysOver(tags) : List.of(Pulse.key());
        var probe = new Probe(shortWays, (why, number) -> {
            String placed = why + " (" + lines.getFirst().placeOf(number) + ")";
            listener.shortWayClosed(name.isEmpty() ? placed : name + ": " + placed);
        });
        this.pulse = new Pulse(lines, listener, pulseKeys, name, new NodeMemory(options.topology(), listener), probe);
        this.pulseThread = Thread.ofPlatform().daemon().name("weir-redis-pulse").unstarted(pulse);
        this.shelf = new RedisShelf(lines.getFirst().link()::ask, options.keyPrefix() + SHELF);
    }

    /**
     * Returns a store that begins to connect.
     *
     * @param loops for its connections; they outlive the store
     */
    public static RedisStore start(RedisOptions options, EventLoops loops, RedisListener listener) {
        return start(options, loops, listener, Script.production());
    }

    /** Returns a store that counts with this script. */
    static RedisStore start(RedisOptions options, EventLoops loops, RedisListener listener, Script script) {
        return start(options, loops, listener, script, "");
    }

    /**
     * Returns a store that begins to connect to one of two.
     *
     * @param name which one it is: its listener hears that
     */
    static RedisStore start(RedisOptions options, EventLoops loops, RedisListener listener, String name) {
        return start(options, loops, listener, Script.production(), name);
    }

    private static RedisStore start(
            RedisOptions options, EventLoops loops, RedisListener listener, Script script, String name) {
        var store = new RedisStore(options, loops, listener, script, name);
        store.pulseThread.start();
        return store;
    }

    /** Returns the shelf of this Redis: the same one for all who have the same key prefix. */
    public Shelf shelf() {
        return shelf;
    }

    /** Returns whether so many plans wait that no more should come. */
    boolean isFull() {
        return waiting.isFull();
    }

    /**
     * Returns the number of the place of a counter, from 0: what is in one can go in one call. Once a call of several hash tags was
     * refused, which nobody can know before, that is the counter's hash tag.
     */
    int placeOf(Check check) {
        for (int i = 0; i < lines.size(); i++) { // indexed: an iterator for each check would be garbage
            if (!lines.get(i).takesAllTags()) {
                return tags.tagOf(check);
            }
        }
        return 0;
    }

    /** Decides a plan whose counters are all in one place, and completes it. */
    void submit(Queued plan) {
        line().submit(plan);
    }

    @Override
    public CompletionStage<List<Reading>> decide(Plan plan) {
        return isFull() ? CompletableFuture.failedFuture(new StoreBusyException()) : line().decide(plan);
    }

    @Override
    public CompletionStage<Boolean> forget(Check check) {
        return line().forget(check.key());
    }

    /** The calling thread's own; whoever has none, or none that is connected, shares the first. */
    private Line line() {
        Line own = lines.get(Math.max(0, loops.current()) % lines.size());
        return own.link().isConnected() ? own : lines.getFirst();
    }

    /** A node of a cluster keeps the counters of several hash tags, and nobody has to know here which. */
    @Override
    public int parts() {
        return isCluster ? tags.count() : 1;
    }

    @Override
    public int partOf(Check check) {
        return isCluster ? tags.tagOf(check) : 0;
    }

    @Override
    public boolean hasAnsweredSince(int part, long nanos) {
        for (Line line : lines) {
            if (line.hasAnsweredSince(part, nanos)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public CompletionStage<Void> firstReached() {
        return pulse.firstReached();
    }

    @Override
    public boolean isReachable() {
        return pulse.isReachable();
    }

    /** Blocks for some seconds at most, while Redis owes an answer or a connection is being made. */
    @Override
    public void close() {
        pulse.close();
        lines.forEach(line -> line.link().refuse());
        await(() -> lines.stream().noneMatch(line -> line.link().isConnecting()));
        pulseThread.interrupt();
        settle();
        try {
            closeLines();
        } finally {
            await(() -> !pulseThread.isAlive()
                    && lines.stream().noneMatch(line -> line.link().isConnecting()));
        }
    }

    /** For the last time. The lines wait for these answers as for all others. */
    private void settle() {
        try {
            lines.getFirst().settleAll();
        } catch (RuntimeException | Error e) { // whatever it is, the lines must end
            LOG.debug("counters were not looked up that may have no expiry", e);
        }
    }

    /** All at the same time: each may have to wait. */
    private void closeLines() {
        List<Thread> ends =
                lines.stream().map(line -> ending(() -> close(line))).toList();
        awaitEnds(ends, PATIENCE_WITH_ENDS);
    }

    /**
     * Begins to end something. On a thread that needs nobody's leave to run: virtual ones wait for as long as an application's own have all
     * processors.
     */
    static Thread ending(Runnable end) {
        return Thread.ofPlatform().daemon().name("weir-redis-end").start(end);
    }

    /** Waits until all have ended, but not for ever: whoever waits may be the thread that they need, and they go on without him. */
    static void awaitEnds(List<Thread> ends, Duration patience) {
        long start = System.nanoTime();
        try {
            for (Thread end : ends) {
                var _ = end.join(patience.minusNanos(System.nanoTime() - start));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // whoever ends it is told to hurry
        }
    }

    /** One that cannot be ended well must not keep the others from it. */
    private static void close(Line line) {
        try {
            line.link().close();
        } catch (RuntimeException e) { // Redisson lets out much while connections come and go
            LOG.debug("the connections of a thread did not end well", e);
        }
    }

    /** Who connects yet ends what it has made, and needs the event loops for it, which the owner of this store ends next. */
    private static void await(BooleanSupplier isOver) {
        long start = System.nanoTime();
        while (!isOver.getAsBoolean()
                && System.nanoTime() - start < PATIENCE_WITH_CONNECTING.toNanos()
                && !Thread.currentThread().isInterrupted()) { // whom that hurries cannot pause, either
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
