package dev.weir.store.redis;

import dev.weir.loop.EventLoops;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreBusyException;
import dev.weir.store.redis.RedisOptions.Topology;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Counters in Redis, shared by every replica that asks the same one.
 *
 * <p>A thread of its own connects and keeps in touch ({@link Pulse}); plans do not wait for it.
 */
public final class RedisStore implements Store {
    private final RedisLink link;
    private final WaitingRoom waiting = new WaitingRoom();
    private final Function<Plan, CompletableFuture<List<Reading>>> queue;
    private final Pulse pulse;
    private final Thread pulseThread;

    private RedisStore(RedisOptions options, EventLoops loops, RedisListener listener, Script script) {
        this.link = new RedisLink(options, script, loops);
        var tags = new HashTags(options.keyPrefix(), options.hashTags());
        List<CounterKey> pulseKeys = switch (options.topology()) {
            case Topology.Single _ -> {
                var dispatcher = new Dispatcher(link, tags, options.inFlight(), listener, waiting, loops);
                this.queue = plan -> {
                    var pending = new PendingPlan(
                            plan,
                            whole -> new ScatteredPlan(whole, tags, dispatcher::submit, listener::chargeKept).decide());
                    dispatcher.submit(pending);
                    return pending.answer();
                };
                yield List.of(Pulse.key());
            }
            case Topology.Cluster _ -> {
                var lanes = new Lanes(
                        tags,
                        () -> new Dispatcher(link, tags, options.inFlight(), listener, waiting, loops),
                        listener::chargeKept);
                this.queue = lanes::decide;
                yield Pulse.keysOver(tags);
            }
        };
        this.pulse = new Pulse(link, queue, listener, pulseKeys);
        this.pulseThread = Thread.ofVirtual().name("weir-redis-pulse").unstarted(pulse);
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
        var store = new RedisStore(options, loops, listener, script);
        store.pulseThread.start();
        return store;
    }

    @Override
    public CompletionStage<List<Reading>> decide(Plan plan) {
        return waiting.isFull() ? CompletableFuture.failedFuture(new StoreBusyException()) : queue.apply(plan);
    }

    @Override
    public CompletionStage<Void> firstReached() {
        return pulse.firstReached();
    }

    @Override
    public boolean isReachable() {
        return pulse.isReachable();
    }

    @Override
    public void close() {
        pulse.close();
        pulseThread.interrupt();
        link.close();
    }
}
