package dev.weir.store.memory;

import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import dev.weir.upkeep.Upkeep;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
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

    private static final CompletableFuture<Void> REACHED = CompletableFuture.completedFuture(null);

    private final Ticker ticker;
    private final Holdings holdings;
    private final Segment[] segments = new Segment[1 << Segment.CHOOSING_BITS];
    private final long secret = new SecureRandom().nextLong() | 1;
    private volatile long roomNotBefore = Long.MIN_VALUE;
    final Upkeep upkeep = new Upkeep(this::sweep, MemoryStore::tellOfDefect);
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
        this.ticker = ticker;
        this.holdings = new Holdings(maxCounters, maxBytes);
        for (int i = 0; i < segments.length; i++) {
            segments[i] = new Segment();
        }
    }

    /** Returns an empty store that forgets by itself what cannot matter any more. */
    public static MemoryStore swept(Ticker ticker, int maxCounters, long maxBytes) {
        var store = new MemoryStore(ticker, maxCounters, maxBytes);
        var _ = store.sweeper.scheduleWithFixedDelay(
                store.upkeep::step, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
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
        holdings.take(trial.drafts());
        for (Trial.Draft draft : trial.drafts()) {
            Counter after = draft.after();
            if (!Objects.equals(after, draft.before())) {
                long spot = spotOf(draft.key);
                segments[numberOf(spot)].put(draft.key, spot, draft.cell, after);
            }
        }
        return trial.readings();
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

    private static void tellOfDefect(Throwable defect) {
        LOG.error("counters that are over could not be forgotten", defect);
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
            holdings.became(cell.keyLength(), cell.counter(), null);
            segment.put(key, spot, cell, null);
            return true;
        } finally {
            segment.unlock();
        }
    }

    private void forget(Segment locked) {
        locked.forget(ticker.micros(), holdings);
    }

    /** Returns how many counters there are. */
    public int size() {
        return holdings.counters();
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
