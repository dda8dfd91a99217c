package dev.weir.limit;

import org.jspecify.annotations.Nullable;

/**
 * Remembers every admitted hit for one window: exact in every stretch of time. Mirrored by sliding_log.lua.
 *
 * <p>Admitted is what leaves no more than the limit in (now - window, now]. A check that does not fit leaves no trace, so a
 * log never has more entries than the limit has hits. Time that stepped back stands still at the newest entry: entries stay
 * in order.
 */
final class SlidingLogModel implements Model {
    private final @Nullable State before;
    private long limit;
    private final long windowMicros;
    private final long now;
    private final long at;
    private SlidingLog log;
    private long taken; // at this instant, not yet in the log
    private boolean isChanged;

    SlidingLogModel(@Nullable State before, Quota quota, long now) {
        this.before = before;
        this.limit = quota.hits();
        this.windowMicros = quota.windowMicros();
        this.now = now;
        boolean isInForce = before instanceof SlidingLog held && held.newest() <= now + windowMicros;
        this.log = isInForce && before instanceof SlidingLog held ? held : SlidingLog.EMPTY;
        this.at = log.isEmpty() ? now : Math.max(now, log.newest());
        this.log = log.after(at - windowMicros);
    }

    private long used() {
        return log.hits() + taken;
    }

    @Override
    public void under(Limit other) {
        limit = other.quota().hits();
    }

    @Override
    public long left() {
        return Math.max(0, limit - used());
    }

    @Override
    public boolean isOver() {
        return used() > limit;
    }

    @Override
    public void take(long hits) {
        taken += hits;
        isChanged = true;
    }

    @Override
    public void give(long hits) {
        isChanged |= hits > 0 && used() > 0;
        long ofTaken = Math.min(taken, hits);
        taken -= ofTaken;
        log = log.without(hits - ofTaken);
    }

    @Override
    public void giveBack(long hits, long chargedAt) {
        if (chargedAt > at - windowMicros && !log.isEmpty()) {
            long before = log.hits();
            log = log.without(hits, chargedAt);
            isChanged |= log.hits() < before;
        }
    }

    @Override
    public long at() {
        return at;
    }

    @Override
    public long resetMicros() {
        if (taken > 0) {
            return at + windowMicros - now;
        }
        return log.isEmpty() ? 0 : log.newest() + windowMicros - now;
    }

    @Override
    public long retryMicros(long hits) {
        if (hits > limit) {
            return used() == 0 ? windowMicros : resetMicros();
        }
        long mustLeave = used() + hits - limit;
        long last = mustLeave <= log.hits() ? log.instantOf(mustLeave) : at;
        return last + windowMicros - now;
    }

    @Override
    public @Nullable State state() {
        if (!isChanged) {
            return before;
        }
        SlidingLog after = taken > 0 ? log.with(at, taken) : log;
        return after.isEmpty() ? null : after;
    }
}
