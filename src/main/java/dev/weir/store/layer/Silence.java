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
    private final AtomicInteger silentParts = new AtomicInteger();

    Silence(int parts, Hearing hearing) {
        this.hearing = hearing;
        this.parts = IntStream.range(0, parts).mapToObj(_ -> new Part()).toArray(Part[]::new);
    }

    /** Returns whether any part is silent; if not, nothing else need be asked. */
    boolean isAny() {
        return silentParts.get() > 0;
    }

    /** Returns whether a part is silent. */
    boolean isSilent(int part) {
        return parts[part].isSilent(part);
    }

    /** Returns whether a part may be asked now: it is not silent, or it is time for another try. */
    boolean mayAsk(int part, long nowNanos) {
        return parts[part].mayBeAsked(part, nowNanos);
    }

    /** A part will be asked now: if it is silent, this is the try. Two at a time are no harm. */
    void ask(int part, long nowNanos) {
        parts[part].nextTryNanos = nowNanos + BETWEEN_TRIES_NANOS;
    }

    /** A part was not asked after all. */
    void takeBack(int part, long nowNanos) {
        parts[part].nextTryNanos = nowNanos;
    }

    /** A part has answered a plan. */
    void answered(int part) {
        if (parts[part].unanswered > 0) {
            parts[part].answered();
        }
    }

    /** A part did not answer a plan. */
    void unanswered(int part, long nowNanos) {
        parts[part].unanswered(part, nowNanos);
    }

    private final class Part {
        private volatile long nextTryNanos;

        // In a row; written under this, and read as well without: an answer that goes unnoticed is made good by the
        // next.
        private volatile int unanswered;
        private volatile boolean isSilent;
        private long sinceNanos; // the first of them
        private volatile long lastNanos; // the last

        /** Whoever has heard of it since ends the silence: its pulse, where nobody else asks. */
        boolean isSilent(int part) {
            if (isSilent && hearing.hasAnsweredSince(part, lastNanos)) {
                answered();
            }
            return isSilent;
        }

        boolean mayBeAsked(int part, long nowNanos) {
            return !isSilent(part) || nowNanos - nextTryNanos >= 0;
        }

        synchronized void answered() {
            unanswered = 0;
            if (isSilent) {
                isSilent = false;
                silentParts.decrementAndGet();
            }
        }

        synchronized void unanswered(int part, long nowNanos) {
            if (unanswered > 0 && hearing.hasAnsweredSince(part, sinceNanos)) {
                answered();
            }
            if (unanswered == 0) {
                sinceNanos = nowNanos;
            }
            lastNanos = nowNanos;
            unanswered = Math.min(unanswered + 1, FEW);
            if (!isSilent && unanswered == FEW && nowNanos - sinceNanos >= LONG_NANOS) {
                isSilent = true;
                nextTryNanos = nowNanos + BETWEEN_TRIES_NANOS;
                silentParts.incrementAndGet();
            }
        }
    }
}
