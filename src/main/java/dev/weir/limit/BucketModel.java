package dev.weir.limit;

import org.jspecify.annotations.Nullable;

/**
 * A bucket that is filled, or leaks, evenly. Mirrored by bucket.lua.
 *
 * <p>A token bucket and a leaky bucket are one arithmetic seen from two sides: the tokens missing in the one are the hits
 * standing in the other. Counted are those hits: each admitted one adds to the level, and the level sinks by the quota's
 * hits in each window. What has sunk of the next whole hit is kept as a fraction, in microseconds of the window, so that
 * nothing is lost or won by asking often:
 *
 * <pre>
 *     earned = elapsed * limit + fraction        level -= earned / windowMicros        fraction = earned % windowMicros
 * </pre>
 *
 * <p>Admitted is what leaves the level at no more than the burst. In any stretch of time t that is at most burst + limit * t
 * / window. Level and fraction say nothing of the limit, so that limits can alternate on one counter.
 */
public final class BucketModel implements Model {
    private final @Nullable State before;
    private long limit;
    private final long windowMicros;
    private long capacity;
    private final long now;
    private long at;
    private long level;
    private long fraction;
    private boolean isChanged;

    BucketModel(@Nullable State before, Quota quota, long capacity, long now) {
        this.before = before;
        this.limit = quota.hits();
        this.windowMicros = quota.windowMicros();
        this.capacity = capacity;
        this.now = now;
        read(before);
    }

    private void read(@Nullable State state) {
        at = now;
        level = 0;
        fraction = 0;
        if (state instanceof Level held && held.instant <= now + windowMicros) {
            // A limit of 0 lets nothing leak, and its time shall not be lost to a limit that comes after it.
            at = limit == 0 ? held.instant : Math.max(now, held.instant);
            level = held.hits;
            fraction = held.fraction;
            sink(at - held.instant);
        }
    }

    private void sink(long elapsed) {
        var earned = Exact.share(elapsed, limit, windowMicros);
        long over = earned.over() + fraction;
        boolean isOneMore = over >= windowMicros;
        level -= earned.whole() + (isOneMore ? 1 : 0);
        fraction = isOneMore ? over - windowMicros : over;
        if (level <= 0) {
            level = 0;
            fraction = 0;
        }
    }

    /** Time that nothing was counted in passes at the rate of who asks: unchanged state is read anew. */
    @Override
    public void under(Limit other) {
        limit = other.quota().hits();
        capacity = other.capacity();
        read(isChanged ? new Level(level, fraction, at) : before);
    }

    @Override
    public long left() {
        return Math.max(0, capacity - level);
    }

    @Override
    public boolean isOver() {
        return level > capacity;
    }

    @Override
    public void take(long hits) {
        level += hits;
        isChanged = true;
    }

    @Override
    public void give(long hits) {
        isChanged |= hits > 0 && level > 0;
        level = Math.max(0, level - hits);
        if (level == 0) {
            fraction = 0;
        }
    }

    /** Less what was earned since: without the charge the bucket may have been full, and would not have kept it. */
    @Override
    public void giveBack(long hits, long chargedAt) {
        var earned = Exact.share(Math.max(0, at - chargedAt), limit, windowMicros);
        if (level == 0 || earned.whole() >= hits) {
            return;
        }
        isChanged = true;
        level -= hits - earned.whole();
        fraction -= earned.over();
        if (fraction < 0) {
            level++;
            fraction += windowMicros;
        }
        if (level <= 0) {
            level = 0;
            fraction = 0;
        }
    }

    @Override
    public long at() {
        return at;
    }

    @Override
    public long resetMicros() {
        if (level == 0) {
            return 0;
        }
        return limit == 0 ? windowMicros : Math.min(Exact.MAX, sunk(level).wholeUp() + at - now);
    }

    @Override
    public long slack() {
        if (level == 0 || limit == 0) {
            return 0;
        }
        long over = sunk(level).over();
        return over == 0 ? 0 : limit - over;
    }

    /** The time in which the level sinks by so many hits, in microseconds and a fraction of the limit. */
    private Exact.Share sunk(long hits) {
        var time = Exact.share(windowMicros, hits, limit);
        long whole = time.whole() - fraction / limit;
        long over = time.over() - fraction % limit;
        return over < 0 ? new Exact.Share(whole - 1, over + limit) : new Exact.Share(whole, over);
    }

    @Override
    public long retryMicros(long hits) {
        if (hits > capacity || limit == 0) {
            return level == 0 ? windowMicros : resetMicros();
        }
        return Math.min(Exact.MAX, sunk(level + hits - capacity).wholeUp() + at - now);
    }

    @Override
    public @Nullable State state() {
        if (!isChanged) {
            return before;
        }
        return level == 0 ? null : new Level(level, fraction, at);
    }

    /**
     * What a bucket holds.
     *
     * @param hits the level
     * @param fraction what has sunk of the next hit, in microseconds of the window
     * @param instant for which both hold, in microseconds since the Unix epoch
     */
    public record Level(long hits, long fraction, long instant) implements State {
        @Override
        public long bytes() {
            return 32;
        }
    }
}
