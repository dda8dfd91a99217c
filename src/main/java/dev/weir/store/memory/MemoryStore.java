package dev.weir.store.memory;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Evaluation;
import dev.weir.limit.FixedWindowModel;
import dev.weir.limit.Quota;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counters in this process: the models of {@code limit} behind a lock for each counter.
 *
 * <p>A counter is forgotten when its state cannot matter any more; a thread looks for such counters every few seconds.
 * Room is bounded in counters and in bytes, because callers choose the values: a check that would create one too many is
 * refused as a store failure, like a Redis that is full and may not evict, for a counter dropped early would admit its
 * quota again.
 */
public final class MemoryStore implements Store {
    private static final long SWEEP_SECONDS = 5;

    // Key, array, counter, node and place in the table, measured with compact headers, and rounded up.
    private static final long BYTES_BESIDE_KEY = 160;
    private static final CompletableFuture<Void> REACHED = CompletableFuture.completedFuture(null);

    private final Ticker ticker;
    private final int maxCounters;
    private final long maxBytes;
    private final ConcurrentHashMap<CounterKey, Counter> counters = new ConcurrentHashMap<>();
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final ScheduledExecutorService sweeper = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("weir-memory-sweeper").factory());

    /**
     * Creates an empty store.
     *
     * @param ticker the time that counts
     * @param maxCounters room for this many counters, at least 1
     * @param maxBytes room for about this much memory
     */
    public MemoryStore(Ticker ticker, int maxCounters, long maxBytes) {
        if (maxCounters < 1) {
            throw new IllegalArgumentException("a store needs room for a counter, not for " + maxCounters);
        }
        this.ticker = ticker;
        this.maxCounters = maxCounters;
        this.maxBytes = maxBytes;
        var _ = sweeper.scheduleWithFixedDelay(this::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public CompletionStage<List<Reading>> decide(Plan plan) {
        long now = ticker.micros();
        var readings = new ArrayList<Reading>(plan.checks().size());
        try {
            for (Check check : plan.checks()) {
                readings.add(Reading.of(check, evaluate(check, now), 0));
            }
        } catch (StoreException full) {
            return CompletableFuture.failedFuture(full);
        }
        return CompletableFuture.completedFuture(readings);
    }

    private Evaluation evaluate(Check check, long now) {
        boolean creates = check.hits() > 0 && !check.isRefund();
        while (true) {
            Counter counter = creates ? counterFor(check.key()) : counters.get(check.key());
            if (counter == null) {
                return evaluate(check, 0, now);
            }
            synchronized (counter) {
                // Lost to the sweeper between look-up and lock: the counter is no longer the map's, ask again.
                if (counter.isForgotten) {
                    continue;
                }
                Evaluation evaluation = evaluate(check, counter.state, now);
                if (evaluation.state() != counter.state) {
                    counter.state = evaluation.state();
                    counter.forgetAt = now + retentionMicros(check, counter.state, now);
                }
                return evaluation;
            }
        }
    }

    private static Evaluation evaluate(Check check, long state, long now) {
        Quota quota = check.limit().quota();
        return switch (check.limit().algorithm()) {
            case Algorithm.FixedWindow _ ->
                check.isRefund()
                        ? FixedWindowModel.refund(state, quota, check.hits(), now)
                        : FixedWindowModel.evaluate(state, quota, check.hits(), 1, now);
            default -> throw new IllegalStateException("not yet");
        };
    }

    private static long retentionMicros(Check check, long state, long now) {
        return switch (check.limit().algorithm()) {
            case Algorithm.FixedWindow _ ->
                FixedWindowModel.retentionMicros(state, check.limit().quota(), now);
            default -> throw new IllegalStateException("not yet");
        };
    }

    private Counter counterFor(CounterKey key) {
        Counter known = counters.get(key);
        if (known != null) {
            return known;
        }
        takeRoom(key);
        Counter fresh = new Counter();
        Counter winner = counters.putIfAbsent(key, fresh);
        if (winner == null) {
            return fresh;
        }
        giveRoom(key);
        return winner;
    }

    /** Taken before the insertion, so that racing callers together never pass the bounds. */
    private void takeRoom(CounterKey key) {
        boolean isTooMany = size.incrementAndGet() > maxCounters;
        if (bytes.addAndGet(bytesOf(key)) > maxBytes || isTooMany) {
            giveRoom(key);
            throw new StoreException("the memory store is full: it holds " + size + " counters"
                    + (isTooMany ? " (MEMORY_MAX_COUNTERS)" : ", which is half of the heap (WEIR_HEAP)")
                    + ", and none of them may be forgotten yet");
        }
    }

    private void giveRoom(CounterKey key) {
        size.decrementAndGet();
        bytes.addAndGet(-bytesOf(key));
    }

    private static long bytesOf(CounterKey key) {
        return key.bytes().length + BYTES_BESIDE_KEY;
    }

    /** Forgets the counters that cannot matter any more. */
    void sweep() {
        long now = ticker.micros();
        counters.forEach((key, counter) -> {
            synchronized (counter) {
                if (counter.forgetAt <= now) {
                    counter.isForgotten = true;
                    counters.remove(key, counter);
                    giveRoom(key);
                }
            }
        });
    }

    /** Returns how many counters there are. */
    public int size() {
        return size.get();
    }

    @Override
    public CompletionStage<Void> firstReached() {
        return REACHED;
    }

    @Override
    public boolean isReachable() {
        return true;
    }

    @Override
    public void close() {
        sweeper.shutdownNow();
    }

    /** One counter; its fields are guarded by its own monitor. Until its first check was counted it is not forgotten. */
    private static final class Counter {
        long state;
        long forgetAt = Long.MAX_VALUE;
        boolean isForgotten;
    }
}
