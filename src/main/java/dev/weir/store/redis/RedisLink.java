package dev.weir.store.redis;

import dev.weir.loop.EventLoops;
import dev.weir.store.Merged;
import dev.weir.store.StoreException;
import dev.weir.store.redis.RedisOptions.Topology;
import dev.weir.store.redis.failure.CallFailures;
import dev.weir.store.redis.plain.Nodes;
import dev.weir.store.redis.plain.PlainCall;
import dev.weir.store.redis.plain.ShortWay;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RFuture;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.protocol.RedisCommands;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of one thread to one Redis, or to one Redis Cluster: connections kept by Redisson, and over them calls of the
 * script or, where they will do, of plain commands.
 *
 * <p>No call is sent twice after it may have run, because a call whose reply was lost may well have counted: Redisson's
 * resending is switched off. Only where Redis said that nothing ran does a call go out again: Redisson follows MOVED and
 * ASK to the node that they name, a node that does not know the script is given it, and while a slot moves, the keys of a
 * call may be on two nodes for a moment (TRYAGAIN).
 */
final class RedisLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RedisLink.class);

    private final RedisOptions options;
    private final Script script;
    private final EventLoops loops;
    private final int loop;
    private final RedisChannels channels;
    private final CallFailures failures;
    private final AtomicBoolean isConnecting = new AtomicBoolean();

    private volatile @Nullable RedissonClient client;
    private volatile boolean isRefusalTold;
    private volatile boolean isClosed;

    RedisLink(RedisOptions options, Script script, EventLoops loops, int loop) {
        this.options = options;
        this.script = script;
        this.loops = loops;
        this.loop = loop;
        this.failures = new CallFailures(place(), isCluster(), options.timeout(), options::secrets);
        this.channels = new RedisChannels(options);
    }

    /** Returns the addresses of Redis, for what is told. */
    String place() {
        return options.topology().toString();
    }

    /** Returns whether {@link #connect} has succeeded. */
    boolean isConnected() {
        return client != null;
    }

    /** Returns whether somebody connects at this moment. */
    boolean isConnecting() {
        return isConnecting.get() || channels.isConnecting();
    }

    /**
     * Connects, and leaves it to Redisson to stay connected. Blocks up to the connect timeout for each connection.
     *
     * @throws StoreException if Redis cannot be reached now
     */
    void connect() {
        RedissonClient connected = channels.connect(RedissonConfig.of(options, loops, loop));
        client = connected;
        if (isClosed) {
            connected.shutdown();
        }
    }

    /** Begins to connect, unless that was done or is under way. What comes of it is told once until it changes. */
    void connectAside() {
        if (!isConnected()) {
            aside("weir-redis-line", this::connectUnlessDone);
        }
    }

    private void connectUnlessDone() {
        try {
            if (!isConnected()) { // the last try may have ended since it was asked
                connect();
            }
            isRefusalTold = false;
        } catch (StoreException e) {
            if (!isRefusalTold && !isClosed) {
                LOG.warn("a thread has no connections of its own to Redis and shares another's: {}", e.getMessage());
            }
            isRefusalTold = true;
        }
    }

    /** Runs what connects on a thread of its own, unless such a one is under way. Not on a virtual one, which others can keep from running. */
    private void aside(String thread, Runnable connecting) {
        if (isClosed || !isConnecting.compareAndSet(false, true)) {
            return;
        }
        try {
            Thread.ofPlatform().daemon().name(thread).start(() -> {
                try {
                    connecting.run();
                } finally {
                    isConnecting.set(false);
                }
            });
        } catch (RuntimeException | Error notStarted) {
            isConnecting.set(false);
            throw notStarted;
        }
    }

    /** Begins to {@link #beginAnew} where nothing answers, if the nodes can have other addresses. */
    void leaveSilenceAside() {
        if (isCluster() && isConnected()) {
            aside("weir-redis-anew", this::beginAnew);
        }
    }

    /** Begins to {@link #beginAnew} where a replica answers, if nobody but a new connection would tell who is the master. */
    void leaveReplicaAside() {
        if (options.topology() instanceof Topology.Single && isConnected()) {
            aside("weir-redis-anew", this::beginAnew);
        }
    }

    /**
     * Asks those whom the operator has named, where Redisson would stay for ever: it asks only the addresses that the nodes of a
     * cluster had last, and all of them may have got new ones; and it keeps a connection to a replica behind an address that
     * leads to another master by now. Until one of the named has answered, what is known stays: it may come back, and the named
     * may not. Blocks as {@link #connect} does.
     */
    void beginAnew() {
        RedissonClient lost = client;
        try {
            connect();
            Thread.sleep(options.timeout()); // calls may be under way that are still answered
        } catch (StoreException e) {
            LOG.debug("none of those that were named answers: {}", e.getMessage());
            return;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // it is to end
        }
        if (lost != null) {
            lost.shutdown();
        }
    }

    /** Returns for each hash tag the first one whose counters live on the same node; itself, if Redis was not reached yet. */
    int[] firstOnNode(HashTags tags) {
        RedissonClient connected = client;
        return connected == null
                ? IntStream.range(0, tags.count()).toArray()
                : Nodes.firstOfSame(connected, tags.all());
    }

    /** Returns the address of the node that keeps a slot, for what is told; of all if it is not known. */
    String nodeOf(String slotKey) {
        RedissonClient connected = client;
        String address = connected == null || !isCluster() ? null : Nodes.addressOf(connected, slotKey);
        return address == null ? place() : address;
    }

    /** Asks what is used of the memory, if Redis was reached once. Blocks. */
    void askMemory(NodeMemory memory) throws InterruptedException {
        RedissonClient connected = client;
        if (connected != null) {
            memory.ask(connected);
        }
    }

    private boolean isCluster() {
        return options.topology() instanceof Topology.Cluster;
    }

    /**
     * Calls the script.
     *
     * @param slotKey a key of the slot that {@code keys} live in, for a cluster
     * @param isPatient whether a call whose keys are on two nodes goes out again in a moment, or fails at once
     * @return its reply, or what {@link #told} makes a failure of
     */
    CompletableFuture<byte[]> call(String slotKey, List<Object> keys, byte[] arguments, boolean isPatient) {
        RedissonClient connected = client;
        if (connected == null) {
            return notReached();
        }
        var scripts = connected.getScript(ByteArrayCodec.INSTANCE);
        return new ScriptCall(scripts, script, longest(), slotKey, keys, arguments, isPatient).send();
    }

    /**
     * Redisson follows redirections without end, and where a slot's move was left half done there is none: the old node
     * names the new one, which names the old one. It gives up only a call that was cancelled. One that is not sent back
     * and forth has long failed by then: it may take its time for the connection, the writing and the answer.
     */
    private @Nullable Duration longest() {
        return isCluster() ? options.timeout().multipliedBy(4) : null;
    }

    /**
     * Adds hits to counters without the script.
     *
     * @param slotKey a key of a slot on the node that all counters live on, for a cluster
     * @return failed if Redis did not answer; else the call knows what came of each
     */
    CompletableFuture<PlainCall> add(String slotKey, List<Merged> checks, HashTags tags, ShortWay shortWay) {
        RedissonClient connected = client;
        if (connected == null) {
            return notReached();
        }
        var call = new PlainCall(checks, shortWay, script.clock(), slotKey, tags::redisKey);
        return call.send(connected, slotKey, options.timeout()).thenApply(_ -> call);
    }

    /**
     * Deletes a key. One in a command: while a slot moves, Redis refuses several of which one is not there.
     *
     * @param slotKey a key of the slot that it lives in, for a cluster
     * @return whether it was there, or what {@link #told} makes a failure of
     */
    CompletableFuture<Boolean> delete(String slotKey, byte[] key) {
        RedissonClient connected = client;
        if (connected == null) {
            return notReached();
        }
        CompletableFuture<Long> asked = Nodes.commandsOf(connected)
                .<Long, Long>writeAsync(slotKey, ByteArrayCodec.INSTANCE, RedisCommands.DEL, key)
                .toCompletableFuture();
        return ScriptCall.bounded(asked, longest()).thenApply(deleted -> deleted > 0);
    }

    /** Asks something that is none of counting; what fails is {@link #told}. */
    <T> CompletableFuture<T> ask(Function<RedissonClient, RFuture<T>> question) {
        RedissonClient connected = client;
        if (connected == null) {
            return notReached();
        }
        CompletableFuture<T> asked;
        try {
            asked = question.apply(connected).toCompletableFuture();
        } catch (RuntimeException refusal) {
            asked = CompletableFuture.failedFuture(refusal);
        }
        return ScriptCall.bounded(asked, longest())
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(told(failure)));
    }

    private <T> CompletableFuture<T> notReached() {
        return CompletableFuture.failedFuture(
                StoreException.ofUnasked("Redis at " + options.topology() + " was not reached yet"));
    }

    /** Puts the failure of a call into words for the operator. */
    StoreException told(Throwable failure) {
        return failures.told(failure);
    }

    /** Nobody begins to connect any more, and who has connected ends that. */
    void refuse() {
        isClosed = true;
    }

    /**
     * Calls under way have a second: nobody waits for them any more, and Redis may hang. Who connects at this moment is kept from
     * it, and what Redisson has begun for that is closed.
     */
    @Override
    public void close() {
        refuse();
        RedissonClient connected = client;
        try {
            if (connected != null) {
                connected.shutdown(0, 1, TimeUnit.SECONDS);
            }
        } finally {
            channels.close();
        }
    }
}
