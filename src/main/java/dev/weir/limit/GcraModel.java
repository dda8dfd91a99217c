package dev.weir.limit;

import org.jspecify.annotations.Nullable;

/**
 * The generic cell rate algorithm, by virtual scheduling (ATM Forum, Traffic Management Specification 4.1; ITU-T I.371).
 * Mirrored by gcra.lua.
 *
 * <p>Hits shall come one interval apart, an interval being window / limit. Kept is when the next one is due if all do: the
 * theoretical arrival time, here as the time by which it is {@code ahead} of the last hit's instant. A hit may come before it
 * is due, by as much as the burst allows:
 *
 * <pre>
 *     admitted if   max(arrival, now) + hits * interval &lt;= now + burst * interval,      and that sum is the next arrival
 * </pre>
 *
 * <p>An interval is hardly ever whole microseconds, and rounding it would make 700,000 a second 500,000. So the time has a
 * fraction, counted in microseconds / limit. If another limit comes to the same counter, it reads the same hits: what the
 * schedule is ahead by is that many intervals, which are longer or shorter now. The fraction makes that exact:
 *
 * <pre>
 *     hits * window = ahead * limit + fraction = ahead' * limit' + fraction'
 * </pre>
 *
 * <p>So it decides exactly as a token bucket of the same burst does, under limits that alternate, too. Under a limit of 0 hits
 * have no interval, and under a small one those of a large one can take longer than 2^53 us: then they stay in the
 * {@code scale} of the limit that counted them, and nothing fits until they are gone at its rate.
 */
public final class GcraModel implements Model {
    private final @Nullable State before;
    private long limit;
    private final long windowMicros;
    private long capacity;
    private final long now;
    private long at;
    private long ahead;
    private long fraction; // in microseconds / scale
    private long scale; // the limit, or that which counted what this one has no time for
    private boolean isChanged;

    GcraModel(@Nullable State before, Quota quota, long capacity, long now) {
        this.before = before;
        this.limit = quota.hits();
        this.windowMicros = quota.windowMicros();
        this.capacity = capacity;
        this.now = now;
        read(before);
    }

    private void read(@Nullable State state) {
        at = now;
        ahead = 0;
        fraction = 0;
        scale = limit;
        if (state instanceof Arrival held && held.instant <= now + windowMicros) {
            at = Math.max(now, held.instant);
            ahead = held.ahead;
            fraction = held.fraction;
            scale = held.limit;
            rescale();
            moveBack(at - held.instant, 0);
        }
    }

    private void rescale() {
        if (isForeign() && limit > 0) {
            var time = Exact.share(ahead, scale, limit);
            long over = time.over() + fraction;
            long whole = time.whole() + over / limit;
            if (whole < Exact.MAX) {
                ahead = whole;
                fraction = over % limit;
                scale = limit;
            }
        }
    }

    /** Returns whether what is counted here cannot be told in intervals of this limit. */
    private boolean isForeign() {
        return scale != limit;
    }

    private void moveBack(long micros, long parts) {
        ahead -= micros;
        fraction -= parts;
        if (fraction < 0) {
            ahead--;
            fraction += limit;
        }
        if (ahead < 0) {
            ahead = 0;
            fraction = 0;
        }
        if (isIdle()) {
            scale = limit;
        }
    }

    private boolean isIdle() {
        return ahead == 0 && fraction == 0;
    }

    /** The hits that the schedule is ahead by, rounded up. */
    private long used() {
        var hits = Exact.share(ahead, limit, windowMicros);
        return hits.whole() + Math.ceilDiv(hits.over() + fraction, windowMicros);
    }

    /** Time that nothing was counted in passes at the rate of who asks: unchanged state is read anew. */
    @Override
    public void under(Limit other) {
        State current = isChanged ? new Arrival(ahead, fraction, scale, at) : before;
        limit = other.quota().hits();
        capacity = other.capacity();
        read(current);
    }

    @Override
    public long left() {
        return isForeign() ? 0 : Math.max(0, capacity - used());
    }

    @Override
    public boolean isOver() {
        return isForeign() || used() > capacity;
    }

    @Override
    public void take(long hits) {
        var time = Exact.share(windowMicros, hits, limit);
        ahead += time.whole();
        fraction += time.over();
        if (fraction >= limit) {
            ahead++;
            fraction -= limit;
        }
        isChanged = true;
    }

    @Override
    public void give(long hits) {
        if (hits > 0 && limit > 0 && !isForeign()) {
            isChanged |= !isIdle();
            var time = Exact.share(windowMicros, hits, limit);
            moveBack(time.whole(), time.over());
        }
    }

    @Override
    public void giveBack(long hits, long chargedAt) {
        if (hits > 0 && limit > 0 && !isForeign()) {
            var time = Exact.share(windowMicros, hits, limit);
            long stillAhead = time.whole() - Math.max(0, at - chargedAt);
            if (stillAhead >= 0) {
                isChanged |= !isIdle();
                moveBack(stillAhead, time.over());
            }
        }
    }

    @Override
    public long at() {
        return at;
    }

    @Override
    public long resetMicros() {
        return isIdle() ? 0 : Math.min(Exact.MAX, ahead + (fraction > 0 ? 1 : 0) + at - now);
    }

    @Override
    public long slack() {
        return fraction == 0 ? 0 : scale - fraction;
    }

    @Override
    public long retryMicros(long hits) {
        if (hits > capacity || limit == 0 || isForeign()) {
            return isIdle() ? windowMicros : resetMicros();
        }
        var early = Exact.share(windowMicros, capacity - hits, limit);
        return Math.min(Exact.MAX, ahead - early.whole() + (fraction > early.over() ? 1 : 0) + at - now);
    }

    @Override
    public @Nullable State state() {
        if (!isChanged) {
            return before;
        }
        return isIdle() ? null : new Arrival(ahead, fraction, scale, at);
    }

    /**
     * What a counter of the generic cell rate algorithm holds.
     *
     * @param ahead of {@code instant} is when the next hit is due, in microseconds
     * @param fraction what comes to that, in microseconds divided by {@code limit}
     * @param limit in whose intervals the two count: the quota's hits when hits were last counted
     * @param instant of the last hit, in microseconds since the Unix epoch
     */
    public record Arrival(long ahead, long fraction, long limit, long instant) implements State {
        @Override
        public long bytes() {
            return 40;
        }
    }
}
