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
 * fraction, counted in microseconds / limit. If another limit comes to the same counter, the fraction is rounded up, which is
 * to the strict side by less than a microsecond. With one limit it decides exactly as a token bucket of the same burst does.
 */
public final class GcraModel implements Model {
    private final @Nullable State before;
    private long limit;
    private final long windowMicros;
    private long capacity;
    private final long now;
    private long at;
    private long ahead;
    private long fraction;
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
        if (state instanceof Arrival held && held.instant <= now + windowMicros) {
            boolean isRoundedUp = held.fraction > 0 && held.limit != limit;
            at = Math.max(now, held.instant);
            ahead = held.ahead + (isRoundedUp ? 1 : 0);
            fraction = isRoundedUp ? 0 : held.fraction;
            moveBack(at - held.instant, 0);
        }
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
    }

    private boolean isIdle() {
        return ahead == 0 && fraction == 0;
    }

    /** The hits that the schedule is ahead by, rounded up. */
    private long used() {
        var hits = Exact.share(ahead, limit, windowMicros);
        return hits.whole() + Math.ceilDiv(hits.over() + fraction, windowMicros);
    }

    /** Unchanged state is read anew, so that its fraction is rounded once and not twice. */
    @Override
    public void under(Limit other) {
        State current = isChanged ? new Arrival(ahead, fraction, limit, at) : before;
        limit = other.quota().hits();
        capacity = other.capacity();
        read(current);
    }

    @Override
    public long left() {
        return Math.max(0, capacity - used());
    }

    /** A limit of 0 has no schedule to be ahead of: whatever another limit left behind is too much. */
    @Override
    public boolean isOver() {
        return limit == 0 ? !isIdle() : used() > capacity;
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
        if (hits > 0 && limit > 0) {
            isChanged |= !isIdle();
            var time = Exact.share(windowMicros, hits, limit);
            moveBack(time.whole(), time.over());
        }
    }

    @Override
    public void giveBack(long hits, long chargedAt) {
        if (hits > 0 && limit > 0) {
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
        return fraction == 0 ? 0 : limit - fraction;
    }

    @Override
    public long retryMicros(long hits) {
        if (hits > capacity || limit == 0) {
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
        return isIdle() ? null : new Arrival(ahead, fraction, limit, at);
    }

    /**
     * What a counter of the generic cell rate algorithm holds.
     *
     * @param ahead of {@code instant} is when the next hit is due, in microseconds
     * @param fraction what comes to that, in microseconds divided by {@code limit}
     * @param limit the quota's hits when it was written
     * @param instant of the last hit, in microseconds since the Unix epoch
     */
    public record Arrival(long ahead, long fraction, long limit, long instant) implements State {
        @Override
        public long bytes() {
            return 40;
        }
    }
}
