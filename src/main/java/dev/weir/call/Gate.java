package dev.weir.call;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Turns calls away when more come to a thread than can be answered in time.
 *
 * <p><b>Problem.</b> Past saturation a queue grows somewhere: in front of the store, among the thread's own tasks, in the
 * socket. Soon everything in it is answered after its caller has left, and all work is done for nobody.
 *
 * <p><b>Idea.</b> By Little's law the mean time of a call is the number of calls inside divided by how many leave a second. So
 * the number inside is bounded, and the bound follows the time: what leaves in a window of some milliseconds tells how long it
 * took. The goal is 0.35 of what callers wait for: the rest is for those that are less lucky than the mean, and for what passes
 * at the caller's side before and after. If the mean is twice the goal, half as many may be inside. Where the queue is does not
 * matter, as long as the time counts it in. So it runs from when the bytes of the call came, not from when they were read, to when
 * the answer was flushed.
 *
 * <p><b>A store that is far.</b> The trip to it takes its time however few are inside: that is no queue, and turning calls away would
 * not make it shorter. So the goal is the trip and 0.35 of the rest of what callers wait for.
 *
 * <p><b>When bytes came.</b> The socket does not tell. But a thread that waited for bytes reads them at once; and one that comes
 * straight from other work finds what came since it looked last, in the mean half that time ago. One look may take several
 * reads, and what the later ones bring lay there too as it began.
 *
 * <p><b>Where few are inside.</b> A call that is answered while it is read is inside for a moment only. If that is all a thread
 * does, its queue is in the sockets: it comes round to each of them too late, and few are inside whenever one looks. So a thread
 * that has come round too late for some time turns away what has grown old in its socket, until nothing was for some time.
 *
 * <p><b>Worked numbers.</b> 50,000 calls a second can be answered by a thread, and 100,000 come. 2,048 may be inside: that is
 * 40 ms. After a window the bound is halved, 1,024; then 512. Callers wait for 20 ms, so the goal is 7 ms, which 350 inside take:
 * there it stays. Every second call is turned away. If calls are answered as they are read, a round soon takes 21 ms, longer than
 * they wait. After three (63 ms are more than 60) the thread is behind, and what came more than 8 ms ago is turned away.
 *
 * <p><b>Refused alternatives</b> are told in {@code docs/decisions/0011-turned-away-at-the-gate.md},
 * {@code 0027-what-waits-in-the-socket.md} and {@code 0040-what-has-grown-old-in-its-socket.md}.
 *
 * <p>Belongs to one thread.
 */
public final class Gate {
    /** So many are inside where 200,000 calls a second take 10 ms each: below saturation nobody meets the bound. */
    private static final int MOST = 2_048;

    /** So many never queue for long; and a store that is slow by itself is still asked. */
    private static final int LEAST = 32;

    private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    /** The mean time that calls may take beyond the trip to the store, as a part of what their callers wait for beyond it. */
    private static final double GOAL = 0.35;

    private static final double MOST_SHRINKING = 0.5;
    private static final double MOST_GROWTH = 1.25;

    /** What is older as it would be let in is too old, as a part of what its caller waits for. */
    private static final double OLD = 0.4;

    /** So many calls are no queue: if a round of them is slow, it is not because they are many. */
    private static final int FEW = 64;

    /** So many times what callers wait late rounds in a row may take: whoever stood still once is back in time soon. */
    private static final int LATE = 3;

    /** So many windows in a row in which nobody was too old. */
    private static final int CALM_WINDOWS = 20;

    /** A thread that starts to read so soon after its last work did not wait for bytes. */
    private static final long AT_ONCE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final Executor thread;
    private final LongSupplier clock;
    private final Patience patience;
    private final long birthNanos;

    private int bound = MOST;
    private int inside;
    private int mostInside;
    private boolean hasTurnedAway;

    // A round is what the thread reads before it turns to its tasks; nothing that is read in it came before
    // earliestNanos.
    private boolean isRoundOpen;
    private long earliestNanos;
    private long roundStartNanos;
    private long roundEndNanos;
    private int foundInRound;
    private long lateNanos; // of the late rounds in a row before it

    // Those that have their answer, which is not on its way yet.
    private int unflushed;
    private long unflushedCameNanos;

    // Those that left in this window: how many, how long they took, and how long their callers wait.
    private long windowStartNanos;
    private int left;
    private long takenNanos;
    private long waitNanos;
    private long meanWaitNanos; // of the last window

    private boolean isBehind;
    private boolean wasOld; // something, in this window
    private int calmWindows; // before it, in a row: nothing was old

    /**
     * Creates an open gate.
     *
     * @param thread runs tasks after what is read now
     * @param clock of monotonic nanoseconds
     * @param patience of the callers
     */
    public Gate(Executor thread, LongSupplier clock, Patience patience) {
        this.thread = thread;
        this.clock = clock;
        this.patience = patience;
        birthNanos = clock.getAsLong();
        roundStartNanos = birthNanos;
        roundEndNanos = birthNanos;
        earliestNanos = birthNanos;
        windowStartNanos = birthNanos;
        meanWaitNanos = patience.most();
    }

    /** Returns the account of a connection whose bytes this thread reads from now on. */
    public Socket socket() {
        return new Socket();
    }

    /**
     * Where the calls of one connection enter, and when their bytes came, about: right in the mean of what a look finds, whose
     * first bytes are older and whose last are newer.
     */
    public final class Socket {
        private long emptiedNanos = clock.getAsLong();
        private long readNanos = emptiedNanos;
        private long cameNanos = emptiedNanos;

        private Socket() {}

        /** Bytes were read. */
        public void read() {
            readNanos = clock.getAsLong();
            if (!isRoundOpen) {
                beginRound(readNanos);
            } else {
                lookBack(readNanos);
            }
            long since = emptiedNanos - earliestNanos > 0 ? emptiedNanos : earliestNanos;
            cameNanos = readNanos - (readNanos - since) / 2;
        }

        /** A look has ended, for its last read found no more: what is read from now on came after that. */
        public void emptied() {
            emptiedNanos = readNanos;
        }

        /** Returns when the bytes came that were read last, by the gate's clock. */
        public long cameNanos() {
            return cameNanos;
        }

        /** Returns how long ago that was. */
        public long ageNanos() {
            return clock.getAsLong() - cameNanos;
        }

        /**
         * A call whose bytes were read last wants to be answered.
         *
         * @param deadlineNanos of its caller, or {@link Head#NO_DEADLINE}
         * @return whether it may; if not, it must be ended at once and at little cost
         */
        public boolean enter(long deadlineNanos) {
            if (isShut(deadlineNanos)) {
                turnedAway();
                return false;
            }
            foundInRound++;
            inside++;
            mostInside = Math.max(mostInside, inside);
            return true;
        }

        /** Returns whether some calls may not enter now; if not, {@link #isShut} need not be asked. */
        public boolean mayBeShut() {
            return isBehind || inside >= bound;
        }

        /**
         * Returns whether a call may not enter now whose bytes were read last.
         *
         * @param deadlineNanos of its caller, or {@link Head#NO_DEADLINE}
         */
        public boolean isShut(long deadlineNanos) {
            return inside >= bound || (isBehind && isOld(deadlineNanos));
        }

        /** A call was turned away without asking, because the gate is shut. */
        public void turnedAway() {
            foundInRound++;
            if (inside >= bound) {
                hasTurnedAway = true;
            } else {
                lookForOld();
            }
        }

        /** A call is not asked, for its caller was gone when it was reached. */
        public void late() {
            foundInRound++;
            lookForOld();
        }

        /** Who waits for less than others is old sooner, also where the thread is in time. */
        private void lookForOld() {
            wasOld |= ageNanos() > OLD * meanWaitNanos;
        }

        private boolean isOld(long deadlineNanos) {
            return ageNanos() > OLD * waitNanos(cameNanos, deadlineNanos);
        }
    }

    private void beginRound(long nowNanos) {
        boolean hasWaited = nowNanos - roundEndNanos > AT_ONCE_NANOS;
        earliestNanos = hasWaited ? nowNanos : roundStartNanos;
        isRoundOpen = true;
        foundInRound = 0;
        roundStartNanos = nowNanos;
        thread.execute(this::endRound);
    }

    private void endRound() {
        isRoundOpen = false;
        roundEndNanos = clock.getAsLong();
        lookBack(roundEndNanos);
        lateNanos = isRoundLate(roundEndNanos) ? lateNanos + roundEndNanos - roundStartNanos : 0;
    }

    /** Looks whether the thread comes round too late for some time now. */
    private void lookBack(long nowNanos) {
        if (isRoundLate(nowNanos) && lateNanos + nowNanos - roundStartNanos > LATE * meanWaitNanos) {
            isBehind = true;
            calmWindows = 0;
        }
    }

    private boolean isRoundLate(long nowNanos) {
        return foundInRound > FEW && nowNanos - roundStartNanos > meanWaitNanos;
    }

    /**
     * A call that was let in has ended; it is inside until what was written is flushed.
     *
     * @param deadlineNanos of its caller, or {@link Head#NO_DEADLINE}
     */
    public void leave(long cameNanos, long deadlineNanos) {
        left++;
        unflushed++;
        unflushedCameNanos += cameNanos - birthNanos;
        waitNanos += waitNanos(cameNanos, deadlineNanos);
    }

    private long waitNanos(long cameNanos, long deadlineNanos) {
        return deadlineNanos == Head.NO_DEADLINE
                ? patience.most()
                : Math.min(patience.most(), deadlineNanos - cameNanos);
    }

    /** What was written is on its way. */
    public void flushed() {
        if (unflushed == 0) {
            return; // who only looks around has not worked: bytes that come now were waited for
        }
        long nowNanos = clock.getAsLong();
        roundEndNanos = nowNanos; // the thread has just worked, not waited
        inside -= unflushed;
        takenNanos += unflushed * (nowNanos - birthNanos) - unflushedCameNanos;
        unflushed = 0;
        unflushedCameNanos = 0;
        if (nowNanos - windowStartNanos >= WINDOW_NANOS) {
            adjust();
            windowStartNanos = nowNanos;
        }
    }

    /** A bound that was not nearly met says nothing: what slow answers there were had another cause than too many inside. */
    private void adjust() {
        long tripNanos = Math.min(left * patience.tripNanos().getAsLong(), waitNanos);
        double ratio = (tripNanos + (waitNanos - tripNanos) * GOAL) / Math.max(1, takenNanos);
        if (ratio < 1 ? 2 * mostInside > bound : hasTurnedAway) {
            bound = (int) Math.clamp(Math.ceil(bound * Math.clamp(ratio, MOST_SHRINKING, MOST_GROWTH)), LEAST, MOST);
        }
        meanWaitNanos = waitNanos / left;
        calmWindows = wasOld ? 0 : calmWindows + 1;
        if (calmWindows >= CALM_WINDOWS) {
            isBehind = false;
        }
        left = 0;
        waitNanos = 0;
        takenNanos = 0;
        wasOld = false;
        mostInside = inside;
        hasTurnedAway = false;
    }
}
