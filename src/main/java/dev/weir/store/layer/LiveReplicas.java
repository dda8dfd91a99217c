package dev.weir.store.layer;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the replicas that share a store.
 *
 * <p>A counter in that store is hit by each of them once in each of its windows, and looked at every second. What it came to in the
 * last window, or has come to in this one, is how many there are: one that joins is counted within two seconds, and one that leaves is
 * forgotten after two windows. While the store does not answer, the last number stays.
 *
 * <p>A hit that has no answer may have been counted, and is not repeated in its window: too many replicas would make shares too
 * small, and this one is still in the count of the window before.
 */
public final class LiveReplicas implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LiveReplicas.class);

    private static final long BEAT_MILLIS = 1_000;
    private static final long WINDOW_SECONDS = 10;
    private static final Limit EVERYBODY = Limit.fixedWindow(new Quota(Quota.MAX_HITS, WINDOW_SECONDS));

    /** The clocks of this process and of the store run alike for a window, but for a little. */
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    // No counter of a request begins like this: their first byte is the kind of a text, 0 to 2.
    private static final byte[] KEY = "\u0003replicas".getBytes(StandardCharsets.US_ASCII);

    private final Store store;
    private final BooleanSupplier isWanted;
    private final LongSupplier clock;
    private final Thread thread = Thread.ofVirtual().name("weir-replicas").unstarted(this::run);

    // All guarded by this, but for the count.
    private long nextHitNanos;
    private long lastWindow;
    private long thisWindow;
    private volatile int count = 1;

    /**
     * Creates the count, which nobody keeps up to date.
     *
     * @param isWanted whether anybody wants to know; if not, the store is left alone
     * @param clock of monotonic nanoseconds
     */
    LiveReplicas(Store store, BooleanSupplier isWanted, LongSupplier clock) {
        this.store = store;
        this.isWanted = isWanted;
        this.clock = clock;
        this.nextHitNanos = clock.getAsLong();
    }

    /**
     * Returns a count that is kept up to date.
     *
     * @param isWanted whether anybody wants to know; if not, the store is left alone
     */
    public static LiveReplicas watch(Store store, BooleanSupplier isWanted) {
        var replicas = new LiveReplicas(store, isWanted, System::nanoTime);
        replicas.thread.start();
        return replicas;
    }

    /** Returns how many replicas there were when the store answered last, this one included; 1 if it never did. */
    public int count() {
        return count;
    }

    private void run() {
        try {
            while (true) {
                beat();
                TimeUnit.MILLISECONDS.sleep(BEAT_MILLIS);
            }
        } catch (InterruptedException _) {
            // closed
        } catch (RuntimeException defect) {
            LOG.error("replicas are not counted any more", defect);
        }
    }

    /** Looks at the counter, and hits it if that was not done yet in its window. */
    synchronized void beat() {
        if (!isWanted.getAsBoolean()) {
            return;
        }
        long now = clock.getAsLong();
        boolean isHit = now - nextHitNanos >= 0;
        if (isHit) {
            nextHitNanos = now + TimeUnit.SECONDS.toNanos(WINDOW_SECONDS);
        }
        var plan = Plan.of(List.of(Check.of(new CounterKey(KEY, KEY.length), EVERYBODY, isHit ? 1 : 0)));
        var _ = store.decide(plan).whenComplete((readings, _) -> learn(readings, isHit, now));
    }

    private synchronized void learn(@Nullable List<Reading> readings, boolean isHit, long asked) {
        if (readings == null) {
            return; // the store failed
        }
        Reading reading = readings.getFirst();
        long seen = Quota.MAX_HITS - reading.remaining();
        if (isHit) {
            nextHitNanos = asked + TimeUnit.MICROSECONDS.toNanos(reading.resetMicros()) + GRACE_NANOS;
            lastWindow = thisWindow;
            thisWindow = seen;
        } else {
            thisWindow = Math.max(thisWindow, seen);
        }
        count = Math.clamp(Math.max(lastWindow, thisWindow), 1, Integer.MAX_VALUE);
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
