package dev.weir.store.layer;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreBusyException;
import dev.weir.store.StoreException;
import dev.weir.upkeep.Upkeep;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the replicas that share a store.
 *
 * <p>A counter in that store is hit by each of them once in each of its windows, and looked at every second. The most that it came to in
 * the last minute is how many there are: one that joins is counted within three seconds, or in
 * the next window if its hit was lost, and one that leaves is forgotten after a minute,
 * as it may just as well be back. While the store does not answer, the last number stays.
 *
 * <p>A hit that has no answer may have been counted, and is not repeated in its window: too many replicas would make shares too
 * small, and this one is still in the counts of the windows before. One that was surely not is repeated. Until its first hit is
 * answered, a replica is in no window and adds itself to the count. It only looks until the store has answered once: what a
 * process asks first is slow, and most often what has no answer in time. If a look says that the window ends later than its
 * hit said, the store's clock has stepped back (another host became its master), and the hit still stands for this replica.
 */
public final class LiveReplicas implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LiveReplicas.class);

    private static final Duration BEAT = Duration.ofSeconds(1);
    private static final long WINDOW_SECONDS = 10;
    private static final int WINDOWS = 6;
    private static final Limit EVERYBODY = Limit.fixedWindow(new Quota(Quota.MAX_HITS, WINDOW_SECONDS));

    /** The clocks of this process and of the store run alike for a window, but for a little. */
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    // No counter of a request begins like this: their first byte is the kind of a text, 0 to 2.
    private static final byte[] KEY = "\u0003replicas".getBytes(StandardCharsets.US_ASCII);

    private final Store store;
    private final LongSupplier clock;
    final Upkeep upkeep = new Upkeep(this::beat, defect -> LOG.error("a defect in the count of replicas", defect));

    // Guarded by this. The windows go round, and the present one is where they have got to.
    private final long[] seen = new long[WINDOWS];
    private int present;
    private long nextHitNanos;
    private boolean hasLooked;
    private boolean isCounted; // this one, for certain

    private volatile int count;

    /**
     * Creates the count, which nobody keeps up to date.
     *
     * @param clock of monotonic nanoseconds
     */
    LiveReplicas(Store store, LongSupplier clock) {
        this.store = store;
        this.clock = clock;
        this.nextHitNanos = clock.getAsLong();
    }

    /** Returns a count that is kept up to date. */
    public static LiveReplicas watch(Store store) {
        var replicas = new LiveReplicas(store, System::nanoTime);
        // Not at once: what is asked of a store before it is reached is told as its failure, at each healthy start.
        Thread.ofPlatform().daemon().name("weir-replicas").start(() -> replicas.upkeep.stepUntilEnd(BEAT));
        var _ = store.firstReached().thenRun(replicas::beat); // lest nobody knows the number for the rest of a second
        return replicas;
    }

    /** Returns how many replicas there were when the store answered last, this one included; 0 if it never did. */
    public int count() {
        return count;
    }

    /** Looks at the counter, and hits it if that was not done yet in its window. */
    void beat() {
        long now = clock.getAsLong();
        boolean isHit = isTimeToHit(now);
        var plan = Plan.of(List.of(Check.of(new CounterKey(KEY, KEY.length), EVERYBODY, isHit ? 1 : 0)));
        var _ = store.decide(plan).handle((readings, failure) -> {
            if (readings != null) {
                learn(readings.getFirst(), isHit, now);
            } else if (isHit && wasNotAsked(failure)) {
                hitAgain();
            }
            return plan;
        });
    }

    private static boolean wasNotAsked(@Nullable Throwable failure) {
        return failure instanceof StoreBusyException
                || (failure instanceof StoreException refused && refused.isUnasked());
    }

    private synchronized boolean isTimeToHit(long now) {
        boolean isTime = hasLooked && now - nextHitNanos >= 0;
        if (isTime) {
            nextHitNanos = now + TimeUnit.SECONDS.toNanos(WINDOW_SECONDS);
        }
        return isTime;
    }

    private synchronized void hitAgain() {
        nextHitNanos = clock.getAsLong();
    }

    private synchronized void learn(Reading reading, boolean isHit, long asked) {
        hasLooked = true;
        boolean isInItsWindow = nextHitNanos - asked > 2 * GRACE_NANOS; // later a look may see the next one
        long endNanos = asked + TimeUnit.MICROSECONDS.toNanos(reading.resetMicros());
        if (isHit) {
            nextHitNanos = endNanos + GRACE_NANOS;
            present = (present + 1) % WINDOWS;
            seen[present] = 0;
            isCounted = true;
        } else if (isInItsWindow && endNanos - nextHitNanos > 0) {
            nextHitNanos = endNanos + GRACE_NANOS;
        }
        seen[present] = Math.max(seen[present], Quota.MAX_HITS - reading.remaining());
        long most = Arrays.stream(seen).max().orElseThrow();
        count = Math.clamp(isCounted ? most : most + 1, 0, Integer.MAX_VALUE);
    }

    @Override
    public void close() {
        upkeep.end();
    }
}
