package dev.weir.store.memory;

import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counters in this process: the models of {@code limit} behind locks.
 *
 * <p>Counters are spread over segments, each with a lock of its own. A plan holds the locks of all its counters, taken in the
 * order of the segments so that two plans never wait for each other in a ring, and so is decided in one step.
 *
 * <p>A counter is forgotten when its state cannot matter any more; a thread looks for such counters every few seconds, and so
 * does who finds no room. Room is bounded in counters and in bytes, because callers choose the values: a plan that would
 * create one too many is refused as a store failure and counts nothing, like a Redis that is full and may not evict, for a
 * counter dropped early would admit its quota again. Counters that exist go on: each has room for its lock from the beginning,
 * and logs may grow into some room beyond the bound. That has an end, too: few logs of large limits would fill any heap.
 */
public final class MemoryStore implements Store {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryStore.class);
    private static final long SWEEP_SECONDS = 5;

    // Or one segment, if that has more: 40 us with a million counters. Who needs room is on a thread that others wait
    // for.
    private static final int PLACES_FOR_ROOM = 4_096;
    private static final long REST_MICROS = 100_000;

    // Cell, lock, array, and places in the table or in the tree, measured with compact headers, and rounded up.
    private static final long BYTES_BESIDE_KEY = 120;

    // By this part of the bound counters that exist may pass it.
    private static final int SHARE_TO_GROW = 16;
    private static final CompletableFuture<Void> REACHED = CompletableFuture.completedFuture(null);

    private final Ticker ticker;
    private final int maxCounters;
    private final long maxBytes;
    private final Segment[] segments = new Segment[1 << Segment.CHOOSING_BITS];
    private final long secret = new SecureRandom().nextLong() | 1;
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private volatile long roomNotBefore = Long.MIN_VALUE;
    private final ScheduledExecutorService sweeper = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("weir-memory-sweeper").factory());

    /**
     * Creates an empty store that nobody sweeps.
     *
     * @param ticker the time that counts
     * @param maxCounters room for this many counters, at least 1
     * @param maxBytes room for about this much memory, and a sixteenth more where counters that exist grow
     */
    public MemoryStore(Ticker ticker, int maxCounters, long maxBytes) {
        if (maxCounters < 1) {
            throw new IllegalArgumentException("a store needs room for a counter, not for " + maxCounters);
        }
        this.ticker = ticker;
        this.maxCounters = maxCounters;
        this.maxBytes = maxBytes;
        for (int i = 0; i < segments.length; i++) {
            segments[i] = new Segment();
        }
    }

    /** Returns an empty store that forgets by itself what cannot matter any more. */
    public static MemoryStore swept(Ticker ticker, int maxCounters, long maxBytes) {
        var store = new MemoryStore(ticker, maxCounters, maxBytes);
        var _ = store.sweeper.scheduleWithFixedDelay(store::sweepOn, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
        return store;
    }

    @Override
    public CompletionStage<List<Reading>> decide(Plan plan) {
        try {
            return CompletableFuture.completedFuture(decided(plan));
        } catch (StoreException _) {
            makeRoom(plan);
        }
        try {
            return CompletableFuture.completedFuture(decided(plan));
        } catch (StoreException full) {
            return CompletableFuture.failedFuture(full);
        }
    }

    /** Returns the readings, or throws if the store is full. */
    private List<Reading> decided(Plan plan) {
        List<Check> checks = plan.checks();
        if (checks.size() > 1) {
            return decideTogether(plan);
        }
        Segment only = segments[numberOf(spotOf(checks.getFirst().key()))];
        only.lock();
        try {
            return decideLocked(plan);
        } finally {
            only.unlock();
        }
    }

    /**
     * Forgets what is over beside the plan's counters: short windows fill the store in less time than lies between two
     * sweeps. No locks are held here, as drafts of a plan hold cells. A look at a part will do, since the next one who needs
     * room looks elsewhere. No part is looked through more than once a second, and where all were, none is for a while.
     */
    private void makeRoom(Plan plan) {
        long now = ticker.micros();
        if (now < roomNotBefore) {
            return;
        }
        int first = numberOf(spotOf(plan.checks().getFirst().key()));
        int looked = 0;
        for (int i = 0; i < segments.length && looked < PLACES_FOR_ROOM; i++) {
            Segment segment = segments[(first + i) % segments.length];
            segment.lock();
            try {
                if (segment.isUntidy(now)) {
                    looked += segment.places();
                    forget(segment);
                }
            } finally {
                segment.unlock();
            }
        }
        if (looked == 0) {
            roomNotBefore = now + REST_MICROS;
        }
    }

    /** A lock may be taken twice, so that segments need not be told apart. */
    private List<Reading> decideTogether(Plan plan) {
        int[] numbers = numbersOf(plan.checks());
        for (int number : numbers) {
            segments[number].lock();
        }
        try {
            return decideLocked(plan);
        } finally {
            for (int number : numbers) {
                segments[number].unlock();
            }
        }
    }

    /** Returns the numbers of the counters' segments in order; without a stream, as each request of several descriptors asks. */
    private int[] numbersOf(List<Check> checks) {
        var numbers = new int[checks.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = numberOf(spotOf(checks.get(i).key()));
        }
        Arrays.sort(numbers);
        return numbers;
    }

    /** The time is read under the locks: hits on one counter are counted in the order of their instants. */
    private List<Reading> decideLocked(Plan plan) {
        var trial = new Trial(plan, this::cellOf, ticker.micros());
        takeRoom(trial);
        for (Trial.Draft draft : trial.drafts()) {
            Counter after = draft.after();
            if (!Objects.equals(after, draft.before())) {
                long spot = spotOf(draft.key);
                segments[numberOf(spot)].put(draft.key, spot, draft.cell, after);
            }
        }
        return trial.readings();
    }

    /** Taken before anything is counted, so that racing plans together never pass the bounds and none counts half. */
    private void takeRoom(Trial trial) {
        int more = 0;
        long moreBytes = 0;
        for (Trial.Draft draft : trial.drafts()) {
            Counter before = draft.before();
            Counter after = draft.after();
            more += (after == null ? 0 : 1) - (before == null ? 0 : 1);
            int length = draft.key.bytes().length;
            moreBytes += bytesOf(length, after) - bytesOf(length, before);
        }
        if (more == 0 && moreBytes == 0) {
            return;
        }
        boolean isTooMany = size.addAndGet(more) > maxCounters && more > 0;
        long beyond = bytes.addAndGet(moreBytes) - maxBytes;
        boolean isTooMuch = beyond > (more > 0 ? 0 : maxBytes / SHARE_TO_GROW) && moreBytes > 0;
        if (isTooMany || isTooMuch) {
            size.addAndGet(-more);
            bytes.addAndGet(-moreBytes);
            throw new StoreException("the memory store is full: it holds " + size + " counters"
                    + (isTooMany ? " (MEMORY_MAX_COUNTERS)" : ", which is half of the heap (WEIR_HEAP)")
                    + ", and none was found that may be forgotten");
        }
    }

    private static long bytesOf(int keyLength, @Nullable Counter counter) {
        return counter == null ? 0 : keyLength + BYTES_BESIDE_KEY + counter.bytes();
    }

    private @Nullable Cell cellOf(CounterKey key) {
        long spot = spotOf(key);
        return segments[numberOf(spot)].get(key, spot);
    }

    /**
     * A secret odd factor, of which the upper bits are used: whoever does not know it finds no two hashes that share these
     * bits more often than twice as often as by chance (Dietzfelbinger and others, A Reliable Randomized Algorithm for the
     * Closest-Pair Problem, 1997).
     */
    private long spotOf(CounterKey key) {
        return key.hash() * secret;
    }

    private static int numberOf(long spot) {
        return (int) (spot >>> (Long.SIZE - Segment.CHOOSING_BITS));
    }

    /** Thrown on, a defect would end all sweeping without a word. */
    void sweepOn() {
        try {
            sweep();
        } catch (RuntimeException defect) {
            LOG.error("counters that are over could not be forgotten", defect);
        }
    }

    /** Forgets the counters that cannot matter any more. */
    void sweep() {
        for (Segment segment : segments) {
            segment.lock();
            try {
                forget(segment);
            } finally {
                segment.unlock();
            }
        }
    }

    @Override
    public CompletionStage<Boolean> forget(Check check) {
        return CompletableFuture.completedFuture(forget(check.key()));
    }

    private boolean forget(CounterKey key) {
        long spot = spotOf(key);
        Segment segment = segments[numberOf(spot)];
        segment.lock();
        try {
            Cell cell = segment.get(key, spot);
            if (cell == null) {
                return false;
            }
            size.decrementAndGet();
            bytes.addAndGet(-bytesOf(key.bytes().length, cell.counter()));
            segment.put(key, spot, cell, null);
            return true;
        } finally {
            segment.unlock();
        }
    }

    private void forget(Segment locked) {
        locked.forget(ticker.micros(), (length, before, after) -> {
            if (after == null) {
                size.decrementAndGet();
            }
            bytes.addAndGet(bytesOf(length, after) - bytesOf(length, before));
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
}
