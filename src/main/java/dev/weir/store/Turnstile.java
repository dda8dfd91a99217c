package dev.weir.store;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where plans begin that go to several queues, in parts.
 *
 * <p>Each begins at once, as a rule. When more come than the store can take, each queue answers parts of other plans in time, and hardly
 * a plan as a whole. So when for a moment many answers came too late, the store is overrun, and until it can take all again
 *
 * <ul>
 *   <li>no more plans are inside than are answered in about half of the time for which their callers wait. How long both is, is measured;
 *   <li>the newest of those who stand outside begin first.
 * </ul>
 *
 * <p>What never comes back says nothing: a part of the store that hangs is not overrun, and the others are to go on
 * ({@code docs/decisions/0039-fewer-at-once-of-what-goes-in-parts.md}).
 *
 * @param <T> what begins
 */
public final class Turnstile<T extends Queued> {
    /** A slice lasts at least this long, and as long as a bound needs to show its effect. */
    private static final long SLICE_NANOS = 20_000_000;

    private static final double PATIENCE_IN_SLICE = 3.0 / 4;

    /** So many slices in a row: what a store that stood still had under way is answered at once. */
    private static final int LATE_SLICES = 3;

    /** So many in which nobody has to stand. */
    private static final int CALM_SLICES = 10;

    /** Callers who wait for less than that are late by their own fault, and must not slow the others down. */
    private static final long SHORT_NANOS = 2_000_000;

    private static final int LEAST_LATE = 3;
    private static final int THIRD = 3;
    private static final int EIGHTH = 8;
    private static final double LEAST_GROWTH = 17.0 / 16;
    private static final double MOST_GROWTH = 1.5;

    /** Of those who give up one changes what is known of their patience by this part. */
    private static final int PART_OF_PATIENCE = 64;

    /** Whoever stands longer than so many others did will hardly begin. */
    private static final int MOST_STANDING = 512;

    private final BiConsumer<? super T, Turnstile<T>.Visit> begin;
    private final Runnable overrun;
    private final LongSupplier clock;
    private volatile boolean isOverrun;
    private volatile boolean isStanding;

    // Of the threads that plans end on, mostly one: what two take from each other is no more than a moment.
    private long inTime; // answers in this slice, which is a long one while none is late
    private long late;
    private long sumNanos; // they took
    private long patienceNanos;

    // Guarded by this.
    // The newest last. It never grows: where there is no memory to, an ArrayDeque loses what it holds.
    private final Deque<Visit> standing = new ArrayDeque<>(MOST_STANDING + 1);
    private long sliceNanos;
    private int slices; // in a row that were late, or calm while the store is overrun
    private int most = Integer.MAX_VALUE;
    private int inside; // of those who came since the store is overrun
    private boolean wasFull;

    /**
     * Creates a turnstile that lets all in.
     *
     * @param begin begins a plan, and tells its visit what becomes of it
     * @param overrun is told when the store is found to be overrun
     * @param clock monotonic nanoseconds
     */
    public Turnstile(BiConsumer<? super T, Turnstile<T>.Visit> begin, Runnable overrun, LongSupplier clock) {
        this.begin = begin;
        this.overrun = overrun;
        this.clock = clock;
        this.sliceNanos = clock.getAsLong();
    }

    /** One plan on its way through the store. */
    public final class Visit {
        private final T plan;
        private final long came = clock.getAsLong();
        private long begun = came;
        private boolean isCounted;
        private boolean wasPatient;
        private boolean isLate;

        private Visit(T plan) {
            this.plan = plan;
        }

        /** The plan is answered, and nobody had given up. */
        public void answered() {
            sumNanos += clock.getAsLong() - begun;
            inTime++;
            leave();
            letIn();
        }

        /**
         * Nobody waits for the plan any more, or it has failed. Lets nobody in: this may be on any thread, and within the begin of
         * another. Whoever stands begins with what comes or is answered next.
         */
        public void ended() {
            long nanos = clock.getAsLong() - came;
            wasPatient = nanos >= SHORT_NANOS;
            if (wasPatient) {
                patienceNanos += patienceNanos == 0 ? nanos : (nanos - patienceNanos) / PART_OF_PATIENCE;
            }
            leave();
        }

        /** A part is answered, but nobody waits for the plan any more. */
        public void answeredTooLate() {
            if (wasPatient && !isLate) {
                isLate = true; // once for each plan
                long now = clock.getAsLong();
                sumNanos += now - begun;
                late++;
                tell(look(now));
            }
            letIn();
        }

        private void leave() {
            if (isCounted) {
                synchronized (Turnstile.this) {
                    inside--;
                }
            }
        }
    }

    /** Lets a plan begin, now or when others have left. */
    public void enter(T plan) {
        var visit = new Visit(plan);
        if (isOverrun) {
            tell(stand(visit));
            letIn();
        } else {
            begin.accept(plan, visit);
        }
    }

    private void tell(boolean isNew) {
        if (isNew) {
            overrun.run();
        }
    }

    private synchronized boolean stand(Visit visit) {
        boolean isNew = look(visit.came);
        standing.addLast(visit);
        while (standing.size() > MOST_STANDING
                || (!standing.isEmpty() && standing.getFirst().plan.isOver())) {
            standing.removeFirst();
        }
        isStanding = !standing.isEmpty();
        return isNew;
    }

    private void letIn() {
        if (isStanding) {
            for (Visit next = next(); next != null; next = next()) {
                begin.accept(next.plan, next);
            }
        }
    }

    /** Takes the newest that may begin; null if there is none. */
    private synchronized @Nullable Visit next() {
        while (!standing.isEmpty() && standing.getLast().plan.isOver()) {
            standing.removeLast();
        }
        boolean isFull = isOverrun && inside >= most;
        wasFull |= isFull && !standing.isEmpty();
        Visit newest = isFull ? null : standing.pollLast();
        isStanding = !standing.isEmpty();
        if (newest != null) {
            newest.isCounted = true;
            newest.begun = clock.getAsLong();
            inside++;
        }
        return newest;
    }

    /**
     * Looks at a slice, if one has ended. While all begin, it goes on until some were late.
     *
     * @return whether the store is overrun as of now
     */
    private synchronized boolean look(long now) {
        double slice = Math.max(SLICE_NANOS, patienceNanos / PATIENCE_IN_SLICE);
        double passed = (now - sliceNanos) / slice; // many, where hardly anything comes
        if (passed < 1 || (!isOverrun && late < LEAST_LATE)) {
            return false;
        }
        boolean wasOverrun = isOverrun;
        if (isOverrun) {
            // Of those that passed without a look only the first may have been full.
            slices = (int) Math.min(wasFull ? passed - 1 : slices + passed, CALM_SLICES);
            bound();
        } else {
            slices = THIRD * late > inTime + late ? slices + 1 : 0;
        }
        if (slices >= (isOverrun ? CALM_SLICES : LATE_SLICES)) {
            slices = 0;
            turn();
        }
        sliceNanos = now;
        inTime = 0;
        late = 0;
        sumNanos = 0;
        wasFull = false;
        return isOverrun && !wasOverrun;
    }

    /** Begins with a third of what came back in a slice, or with what was found to be right last time. */
    private void turn() {
        isOverrun = !isOverrun;
        if (isOverrun) {
            most = Math.clamp((inTime + late) / THIRD, 1, most);
        }
    }

    /**
     * By Little's law as many are inside as leave in the time that they take. While few are late it grows in any case, and when
     * many are that took little time inside: they are late because so few may be.
     */
    private void bound() {
        long all = inTime + late;
        double factor = patienceNanos / 2.0 * all / Math.max(1, sumNanos);
        if (EIGHTH * late > all && factor < 1) {
            most = (int) Math.max(1, most * Math.max(factor, 1.0 / 2));
        } else if (wasFull) {
            most = (int) Math.ceil(most * Math.clamp(factor, LEAST_GROWTH, MOST_GROWTH));
        }
    }
}
