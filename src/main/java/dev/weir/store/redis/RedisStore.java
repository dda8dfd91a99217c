package dev.weir.store.redis;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Counters in Redis, shared by every replica that asks the same one.
 *
 * <p>A thread of its own connects, again and again until Redis is there, and from then on counts a hit of its own once a
 * second: that keeps the script loaded and tells listeners when Redis is lost and found. Plans do not wait for it.
 */
public final class RedisStore implements Store {
    private static final long PULSE_MILLIS = 1_000;
    private static final int MISSES_UNTIL_LOST = 2;
    private static final int WARM_UP_CALLS = 200;

    // No counter of a request begins like this: their first byte is the kind of a text, 0 to 2.
    private static final byte[] PULSE_KEY = {3, 'p', 'u', 'l', 's', 'e'};
    private static final Plan PULSE = Plan.of(List.of(
            Check.of(new CounterKey(PULSE_KEY, PULSE_KEY.length), Limit.fixedWindow(Quota.per(Unit.SECOND, 1)), 1)));

    private final RedisLink link;
    private final HashTags tags;
    private final Dispatcher dispatcher;
    private final RedisListener listener;
    private final CompletableFuture<Void> firstReached = new CompletableFuture<>();
    private final Thread pulse = Thread.ofVirtual().name("weir-redis-pulse").unstarted(this::keepInTouch);
    private volatile boolean isReachable;
    private volatile boolean isClosed;
    private boolean isLossTold; // of the pulse

    private RedisStore(RedisOptions options, RedisListener listener, Script script) {
        this.link = new RedisLink(options, script);
        this.tags = new HashTags(options.keyPrefix(), options.hashTags());
        this.dispatcher = new Dispatcher(link, tags, options.inFlight(), listener);
        this.listener = listener;
    }

    /** Returns a store that begins to connect. */
    public static RedisStore start(RedisOptions options, RedisListener listener) {
        return start(options, listener, Script.production());
    }

    /** Returns a store that counts with this script. */
    static RedisStore start(RedisOptions options, RedisListener listener, Script script) {
        var store = new RedisStore(options, listener, script);
        store.pulse.start();
        return store;
    }

    @Override
    public CompletionStage<List<Reading>> decide(Plan plan) {
        var pending = new PendingPlan(plan, this::scatter);
        dispatcher.submit(pending);
        return pending.answer();
    }

    private void scatter(PendingPlan whole) {
        new ScatteredPlan(whole, check -> tags.tagOf(check.key()), dispatcher::submit, listener::chargeKept).decide();
    }

    @Override
    public CompletionStage<Void> firstReached() {
        return firstReached;
    }

    @Override
    public boolean isReachable() {
        return isReachable;
    }

    private void keepInTouch() {
        int misses = 0;
        while (!isClosed) {
            try {
                askOnce();
                misses = 0;
                found();
            } catch (InterruptedException _) {
                return; // closed
            } catch (RuntimeException e) {
                misses++;
                // One miss is a hiccup of either side; before the first answer there is nothing to mistake it for.
                if (misses == MISSES_UNTIL_LOST || !firstReached.isDone()) {
                    lost(e);
                }
            }
            try {
                TimeUnit.MILLISECONDS.sleep(PULSE_MILLIS);
            } catch (InterruptedException _) {
                return; // closed
            }
        }
    }

    private void found() throws InterruptedException {
        if (!firstReached.isDone()) {
            // The first calls of a process are slow by themselves; requests shall not be the ones to make them.
            for (int i = 0; i < WARM_UP_CALLS; i++) {
                askOnce();
            }
        }
        if (!isReachable) {
            isReachable = true;
            isLossTold = false;
            listener.reached();
            firstReached.complete(null);
        }
    }

    private void lost(RuntimeException failure) {
        isReachable = false;
        if (!isLossTold) {
            isLossTold = true;
            listener.lost(String.valueOf(link.told(failure).getMessage()));
        }
    }

    /** Counts a hit on a counter of our own: that shows that Redis is there, lets us in, and can be written to. */
    private void askOnce() throws InterruptedException {
        if (!link.isConnected()) {
            link.connect();
        }
        var answer = decide(PULSE).toCompletableFuture();
        try {
            var _ = answer.get(PULSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw link.told(e);
        } catch (TimeoutException _) {
            answer.cancel(false);
            throw new StoreException("Redis did not answer within " + PULSE_MILLIS + " ms");
        }
    }

    @Override
    public void close() {
        isClosed = true;
        pulse.interrupt();
        link.close();
    }
}
