package dev.weir.store.redis;

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
 * <p>A thread of its own connects, again and again until Redis is there, and from then on asks it once a second whether it
 * still answers: that keeps the script loaded and tells listeners when Redis is lost and found. Plans do not wait for it.
 */
public final class RedisStore implements Store {
    private static final long PULSE_MILLIS = 1_000;

    private final RedisLink link;
    private final Dispatcher dispatcher;
    private final RedisListener listener;
    private final CompletableFuture<Void> firstReached = new CompletableFuture<>();
    private final Thread pulse = Thread.ofVirtual().name("weir-redis-pulse").unstarted(this::keepInTouch);
    private final HashTags tags;
    private volatile boolean isReachable;
    private volatile boolean isClosed;

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
        var pending = new PendingPlan(plan);
        dispatcher.submit(pending);
        return pending.answer();
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
        boolean isLossTold = false;
        while (!isClosed) {
            try {
                askOnce();
                if (!isReachable) {
                    isReachable = true;
                    isLossTold = false;
                    listener.reached();
                    firstReached.complete(null);
                }
            } catch (StoreException e) {
                isReachable = false;
                if (!isLossTold) {
                    isLossTold = true;
                    listener.lost(String.valueOf(e.getMessage()));
                }
            } catch (InterruptedException _) {
                return; // closed
            }
            try {
                TimeUnit.MILLISECONDS.sleep(PULSE_MILLIS);
            } catch (InterruptedException _) {
                return; // closed
            }
        }
    }

    /** Calls the script without a check: it does nothing but show that Redis is there, lets us in and knows the script. */
    private void askOnce() throws InterruptedException {
        if (!link.isConnected()) {
            link.connect();
        }
        try {
            link.call(tags.tag(0), List.of(), new byte[0]).get(PULSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw link.told(e);
        } catch (TimeoutException _) {
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
