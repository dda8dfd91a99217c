package dev.weir.store.layer;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Knows which parts of a store have fallen silent, so that nobody waits for an answer that will not come.
 *
 * <p><b>Problem.</b> A store whose host has died, or that the network cuts off, refuses nothing: each request waits its whole time for
 * it, and nearly as long as its caller does.
 *
 * <p><b>Idea.</b> A part is silent when several plans had no answer, for a quarter of a second and with none between them: their time ran out, or there is no
 * connection, or none that the store lets in. A store that stands still for a moment (a save, a slow disk, a virtual machine that is moved) is not silent yet. From then on plans are refused at
 * once, but for one in each 50 ms, which asks whether there is an answer again: the first one ends the silence, to whomever it is given. A store that answers, but too late for anybody to wait
 * for it, is not silent but overrun, and others know how to help it ({@link dev.weir.store.WaitingPlans}).
 *
 * <p><b>Parts that decide nothing.</b> A part that is overrun, or far away, and has had as many plans without one answer in time, is asked as ever: it may come in time again. But what lies in it
 * should not be asked together with what lies elsewhere, which could be decided.
 *
 * <p><b>Costs.</b> While all is well, a look at one number for each plan, and one at another for each answer.
 *
 * <p><b>Refused alternative.</b> To believe the pulse of the store, which notices within two or three seconds: it would have to ask more often, and for
 * each part.
 */
final class Silence {
    private static final int FEW = 8;
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long BETWEEN_TRIES_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** What is heard of a store, beside its answers to plans for which somebody waits. */
    interface Hearing {
        /** Returns whether a part has answered anything since that nanosecond. */
        boolean hasAnsweredSince(int part, long nanos);
    }

    private final Hearing hearing;
    private final Part[] parts;
    private final AtomicInteger undecidedParts = new AtomicInteger();

    Silence(int parts, Hearing hearing) {
        this.hearing = hearing;
        this.parts = IntStream.range(0, parts).mapToObj(_ -> new Part()).toArray(Part[]::new);
    }

    /** Returns whether any part decides nothing; if not, none is silent, and nothing else need be asked. */
    boolean isAny() {
        return undecidedParts.get() > 0;
    }

    /** Returns whether a part has decided nothing in time for a while: it is silent, or answers too late. */
    boolean decidesNothing(int part) {
        return parts[part].decidesNothing;
    }

    /** Returns whether a part may be asked now: it is not silent, or it is time for another try. */
    boolean mayAsk(int part, long nowNanos) {
        return !parts[part].isSilent(part) || isTimeToTry(part, nowNanos);
    }

    /** Returns whether the last try of a part that decides nothing is long ago. */
    boolean isTimeToTry(int part, long nowNanos) {
        return nowNanos - parts[part].nextTryNanos >= 0;
    }

    /** A part will be asked now: if it decides nothing, this is the try. Two at a time are no harm. */
    void ask(int part, long nowNanos) {
        parts[part].nextTryNanos = nowNanos + BETWEEN_TRIES_NANOS;
    }

    /** A part was not asked after all. */
    void takeBack(int part, long nowNanos) {
        parts[part].nextTryNanos = nowNanos;
    }

    /** A part has answered a plan. */
    void answered(int part) {
        if (parts[part].undecided.count > 0) {
            parts[part].answered();
        }
    }

    /** A part did not answer a plan. */
    void unanswered(int part, long nowNanos) {
        parts[part].unanswered(part, nowNanos);
    }

    private final class Part {
        private volatile long nextTryNanos;
        private volatile boolean decidesNothing;
        private volatile boolean isSilent;
        private volatile long lastNanos; // of the last that had no answer

        // Guarded by this, and read as well without: an answer that goes unnoticed is made good by the next.
        private final Row undecided = new Row();
        private final Row unheard = new Row();

        /** Whoever has heard of it since ends the silence: its pulse, where nobody else asks. */
        boolean isSilent(int part) {
            if (isSilent && hearing.hasAnsweredSince(part, lastNanos)) {
                heard();
            }
            return isSilent;
        }

        synchronized void heard() {
            unheard.count = 0;
            isSilent = false;
        }

        synchronized void answered() {
            heard();
            undecided.count = 0;
            if (decidesNothing) {
                decidesNothing = false;
                undecidedParts.decrementAndGet();
            }
        }

        synchronized void unanswered(int part, long nowNanos) {
            if (unheard.count > 0 && hearing.hasAnsweredSince(part, unheard.sinceNanos)) {
                heard();
            }
            lastNanos = nowNanos;
            if (unheard.isLong(nowNanos) && !isSilent) {
                isSilent = true;
                nextTryNanos = nowNanos + BETWEEN_TRIES_NANOS;
            }
            if (undecided.isLong(nowNanos) && !decidesNothing) {
                decidesNothing = true;
                nextTryNanos = nowNanos + BETWEEN_TRIES_NANOS;
                undecidedParts.incrementAndGet();
            }
        }
    }

    /** Plans in a row that had no answer. */
    private static final class Row {
        private volatile int count;
        private long sinceNanos; // the first of them

        /** Adds one, and returns whether there are several, for a while. */
        boolean isLong(long nowNanos) {
            if (count == 0) {
                sinceNanos = nowNanos;
            }
            count = Math.min(count + 1, FEW);
            return count == FEW && nowNanos - sinceNanos >= LONG_NANOS;
        }
    }
}
