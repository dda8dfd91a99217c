package dev.weir.store.redis.plain;

import dev.weir.store.Batch;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Merged;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Which hits can be counted without the script, and what must be known for that.
 *
 * <p>Hits in fixed windows that count in any case only have to be added. Where the counter is known to stand in the window
 * that goes on, INCRBY does that. Where it is not, it is mostly gone, and a SET that writes to no key that exists begins it
 * before. It needs the number of the window, so this knows what Redis's clock says, about; the reply says it exactly, and
 * what was begun in another window is left to the script. So is a counter whose window has just ended, for Redis keeps it a
 * moment longer.
 *
 * <p>There is one for each hash tag: nodes of a cluster have clocks of their own, and where one does not tell the time the way to the
 * others stays open. What is known of counters all of them share. All threads share them, so that one that has asked nothing for long
 * hears the time from the others. What one thread writes another may see late, and the worst of it is a second call.
 */
public final class ShortWay {
    /** The most hits that are added at once: a count comes near its bounds only if more are under way than can be. */
    private static final long MOST_HITS = 1 << 20;

    /** So many checks that need not go by the script are worth a call of their own beside it. */
    private static final int WORTH_A_CALL = 6;

    private static final long MICRO = 1_000;
    private static final long MOST_DRIFT_NANOS = 500_000;

    /** What took longer says no time: it is off by up to half of that, and a second is added to a counter's expiry for it. */
    private static final long MOST_PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** A clock of which nothing was heard for so long may have been set, or be another node's. Each is asked once a second. */
    private static final long MOST_AGE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long NEWS_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What was answered so soon says the time so well that two such answers are less apart than two clocks may be. */
    private static final long QUICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long APART_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long FIRST_DISTRUST_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long MOST_DISTRUST_NANOS = TimeUnit.HOURS.toNanos(1);

    private final BegunCounters begun;
    private final Owed owed;
    private volatile boolean isOpen;
    private volatile boolean isDistrusted;
    private volatile long distrustedNanos;
    private volatile long distrustForNanos;
    private volatile long nextDistrustNanos = FIRST_DISTRUST_NANOS;
    private volatile boolean isTold;
    private volatile long aheadNanos;
    private volatile long toldNanos;

    // What TIME said, where that was another time than the script's, until the script has said it once more.
    private volatile boolean isInDoubt;
    private volatile long doubtAheadNanos;
    private volatile long doubtNanos;

    /** Creates the first of a store. */
    public ShortWay() {
        this(new BegunCounters(), new Owed());
    }

    private ShortWay(BegunCounters begun, Owed owed) {
        this.begun = begun;
        this.owed = owed;
    }

    /** Returns another one to the same Redis, for a queue of its own. */
    public ShortWay another() {
        return new ShortWay(begun, owed);
    }

    /**
     * Notes whether Redis answers plain calls so that they can be read: some proxies before it, and some users of it, may not
     * ask for the time. Until it does, and while it does not, all goes by the script; and for a while after it was seen that
     * the script goes by another clock.
     *
     * @param nowNanos as {@link System#nanoTime} has it
     */
    public void open(boolean isReadable, long nowNanos) {
        boolean isToOpen = isReadable && !isDistrusted(nowNanos);
        if (isOpen != isToOpen) { // what is only read stays in every processor's cache
            isOpen = isToOpen;
        }
    }

    /** Takes over whether it can be gone from another one to the same node, which is tried for both. */
    public void openAs(ShortWay sameNode, long nowNanos) {
        open(sameNode.isOpen, nowNanos);
    }

    private boolean isDistrusted(long nowNanos) {
        return isDistrusted && nowNanos - distrustedNanos < distrustForNanos;
    }

    /** Closes it, ten seconds long at first, and each time for twice as long. Two threads at once may double that twice. */
    private void distrust(long nowNanos) {
        if (isDistrusted(nowNanos)) {
            return; // that was under way before
        }
        distrustForNanos = nextDistrustNanos;
        nextDistrustNanos = Math.min(2 * nextDistrustNanos, MOST_DISTRUST_NANOS);
        distrustedNanos = nowNanos;
        isDistrusted = true;
        isOpen = false;
    }

    private void trust() {
        if (nextDistrustNanos != FIRST_DISTRUST_NANOS) { // with each call, and it nearly never is
            nextDistrustNanos = FIRST_DISTRUST_NANOS;
        }
    }

    /** Returns what calls have left behind of which nothing was heard. */
    public Owed owed() {
        return owed;
    }

    /** Returns whether plain calls are of use. */
    public boolean isOpen() {
        return isOpen;
    }

    /**
     * Notes what Redis's clock said in the script, unless that was so long under way that it says little.
     *
     * @param now microseconds since the Unix epoch
     * @param sentNanos when it was asked, as {@link System#nanoTime} has it
     * @param answeredNanos when it had answered
     */
    public void told(long now, long sentNanos, long answeredNanos) {
        long ahead = ahead(now, sentNanos, answeredNanos);
        if (isInDoubt && sentNanos - doubtNanos > 0) {
            isInDoubt = false;
            boolean wentOn = isQuick(sentNanos, answeredNanos) && !areApart(ahead, aheadNanos);
            if (wentOn && areApart(ahead, doubtAheadNanos)) {
                distrust(answeredNanos);
            }
        }
        learn(ahead, sentNanos, answeredNanos);
    }

    /**
     * Notes what TIME said, as {@link #told} does, in a call all of whose counters were added to. It is mostly the same clock, and
     * a proxy may answer it by its own, which ends windows when the script does not: then hits at a window's end are counted here
     * and there. A clock that was set has both say the new time; so only where the script says the old one afterwards it is
     * another clock.
     *
     * <p>Or another node's: TIME has no key, and while slots or masters change, one thread may still ask the old node and another
     * has heard the script of the new one, though never for longer than they change. A proxy's clock stays another. So the first
     * time closes the way for seconds only, and the next one for twice as long; one TIME by the script's clock begins anew.
     */
    void toldByTime(long now, long sentNanos, long answeredNanos) {
        long ahead = ahead(now, sentNanos, answeredNanos);
        boolean isQuick = isQuick(sentNanos, answeredNanos);
        if (isTold && areApart(ahead, aheadNanos)) {
            if (isQuick) {
                doubtAheadNanos = ahead;
                doubtNanos = answeredNanos;
                isInDoubt = true;
            }
            return;
        }
        if (isTold && isQuick) {
            trust();
        }
        learn(ahead, sentNanos, answeredNanos);
    }

    private static long ahead(long now, long sentNanos, long answeredNanos) {
        return now * MICRO - (sentNanos + (answeredNanos - sentNanos) / 2);
    }

    private static boolean isQuick(long sentNanos, long answeredNanos) {
        return answeredNanos - sentNanos <= QUICK_NANOS;
    }

    private static boolean areApart(long oneAhead, long otherAhead) {
        return Math.abs(oneAhead - otherAhead) > APART_NANOS;
    }

    private void learn(long ahead, long sentNanos, long answeredNanos) {
        if (answeredNanos - sentNanos > MOST_PATIENCE_NANOS) {
            return;
        }
        boolean isNews =
                answeredNanos - toldNanos > NEWS_AFTER_NANOS || Math.abs(ahead - aheadNanos) > MOST_DRIFT_NANOS;
        if (!isTold || isNews) { // what is only read stays in every processor's cache
            set(ahead, answeredNanos);
        }
    }

    private void set(long ahead, long atNanos) {
        aheadNanos = ahead;
        toldNanos = atNanos;
        isTold = true;
    }

    /** Takes over what is known of the clock of the same node, where that is news. */
    public void learnClock(ShortWay sameNode) {
        if (sameNode.isTold && (!isTold || sameNode.toldNanos - toldNanos > 0)) {
            set(sameNode.aheadNanos, sameNode.toldNanos);
        }
    }

    private boolean isClockKnown(long nowNanos) {
        return isTold && nowNanos - toldNanos <= MOST_AGE_NANOS;
    }

    /** Returns what Redis's clock says about now, in microseconds since the Unix epoch. */
    long now(long nowNanos) {
        return (nowNanos + aheadNanos) / MICRO;
    }

    /**
     * Takes out of a batch what can go without the script, if that is worth a call.
     *
     * @param nowNanos as {@link System#nanoTime} has it
     * @return null for nothing; the batch itself if all of it can
     */
    public @Nullable Batch take(Batch batch, long nowNanos) {
        if (!isOpen || !isClockKnown(nowNanos)) {
            return null;
        }
        return batch.take(merged -> isFor(merged, nowNanos), WORTH_A_CALL);
    }

    private boolean isFor(Merged merged, long nowNanos) {
        return merged.isPlain()
                && merged.hits() <= MOST_HITS
                && !begun.hasJustEnded(merged.check().key(), nowNanos);
    }

    /** Returns whether a counter is known to stand in a window that goes on. */
    boolean isBegun(CounterKey key, long nowNanos) {
        return begun.isBegun(key, nowNanos);
    }

    /** Notes what a counter holds after a hit, see {@link BegunCounters#counted}. */
    public void counted(Check check, long after, long now, long nowNanos) {
        begun.counted(check, after, now, nowNanos);
    }

    /** Leaves a counter that could not be added to to the script, for a second. */
    public void avoid(CounterKey key, long nowNanos) {
        begun.avoid(key, nowNanos);
    }

    /** Tidies up, see {@link BegunCounters#sweep}. */
    void sweep(long nowNanos) {
        begun.sweep(nowNanos);
    }
}
