package dev.weir.store.layer;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Reading;
import dev.weir.store.layer.Remembered.Forgotten;
import dev.weir.store.layer.Remembered.Refusal;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The counters that refuse even one hit, each with the instant until which that is certain.
 *
 * <p>A refusal is remembered only as far as hits that the store never sees change nothing. Refused hits leave no trace where
 * they are charged on admission, and where nothing is left to drain; a fixed window that is over stays over, whatever else is
 * counted in it. But where refused hits count in a window that moves, they keep it full: such a limit is never remembered. And
 * a lock can end in a window, or a bucket, that the hits which met it have used up: with those charges a lock over a fixed
 * window is remembered until a window before its end, for what is counted earlier is forgotten by then, and any other lock
 * not at all.
 *
 * <p>Nothing is remembered for longer than {@link #LONGEST}, so that what happens elsewhere (a refund, a reset) is seen. A
 * counter has one place, bounded in bytes together with all others: a second limit on it takes the place of the first.
 *
 * <p>Safe for use by any thread; reading takes no lock.
 */
final class OverLimitMemory {
    /** How long a counter is refused without asking the store again. */
    static final Duration LONGEST = Duration.ofSeconds(1);

    private static final long LONGEST_MICROS = TimeUnit.NANOSECONDS.toMicros(LONGEST.toNanos());

    // Key, array, refusal, node and place in the table, measured with compact headers, and rounded up.
    private static final int BYTES_BESIDE_KEY = 240;

    private final Cache<CounterKey, Remembered> counters;

    /**
     * Creates an empty memory.
     *
     * @param bytes how much room it takes at most, about
     * @param clock monotonic nanoseconds
     */
    OverLimitMemory(long bytes, LongSupplier clock) {
        counters = Caffeine.newBuilder()
                .maximumWeight(bytes)
                .weigher((CounterKey key, Remembered _) -> key.bytes().length + BYTES_BESIDE_KEY)
                .expireAfterWrite(LONGEST)
                .ticker(clock::getAsLong)
                .executor(Runnable::run) // its work is short, and no thread of its own would be idle here
                .build();
    }

    /** Returns the refusal that answers this check, or null if the store must be asked. */
    @Nullable
    Refusal recall(Check check, long now) {
        if (check.hits() == 0 || check.isRefund()) {
            return null;
        }
        return counters.getIfPresent(check.key()) instanceof Refusal refusal && refusal.isInForce(check.limit(), now)
                ? refusal
                : null;
    }

    /**
     * Keeps what the store said to a check, if that says anything about others.
     *
     * @param asked before the check was sent
     */
    void remember(Check check, Reading reading, long asked) {
        if (reading.isAdmitted() || reading.available() > 0 || !speaksOfOneHit(check)) {
            return;
        }
        long certain = Math.min(LONGEST_MICROS, certainMicros(check.limit(), reading.retryMicros()));
        if (certain > 0) {
            keep(
                    check.key(),
                    new Refusal(
                            check.limit(),
                            asked,
                            asked + certain * Remembered.NANOS_PER_MICRO,
                            asked + reading.retryMicros() * Remembered.NANOS_PER_MICRO,
                            asked + reading.resetMicros() * Remembered.NANOS_PER_MICRO));
        }
    }

    /** The wait of a check for several hits is theirs, but where the end of a window or of a lock is waited for. */
    private static boolean speaksOfOneHit(Check check) {
        if (check.hits() <= 1) {
            return check.hits() == 1;
        }
        Limit limit = check.limit();
        return limit.algorithm() instanceof Algorithm.FixedWindow || limit.blockSeconds() > 0;
    }

    /** Returns for how long refused hits can go uncounted. */
    private static long certainMicros(Limit limit, long retryMicros) {
        if (limit.charge() == Charge.ON_ADMIT) {
            return retryMicros;
        }
        boolean isFixed = limit.algorithm() instanceof Algorithm.FixedWindow;
        if (limit.blockSeconds() > 0) {
            return isFixed ? retryMicros - limit.quota().windowMicros() : 0;
        }
        return isFixed || limit.charge() == Charge.DRAIN ? retryMicros : 0;
    }

    /** Forgets what is known of a counter, and what was asked of it up to now and is not answered yet. */
    void forget(CounterKey key, long now) {
        keep(key, new Forgotten(now));
    }

    private void keep(CounterKey key, Remembered fresh) {
        var _ = counters.asMap().merge(key, fresh, (old, young) -> isReplaced(old, young) ? young : old);
    }

    /** Answers can come in another order than questions went out: the later question is in the right, in doubt what made us forget. */
    private static boolean isReplaced(Remembered old, Remembered young) {
        long younger = young.since() - old.since();
        return switch (young) {
            case Refusal _ -> younger > 0;
            case Forgotten _ -> younger >= 0;
        };
    }

    /** Returns how many counters are remembered, about. */
    long size() {
        counters.cleanUp();
        return counters.estimatedSize();
    }
}
