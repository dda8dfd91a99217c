package dev.weir.upkeep;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Work beside the requests that is done step by step for as long as the service lives, and that nothing may end: nobody would
 * connect to a lost Redis again, or see that rules have changed.
 *
 * <p>A defect costs a step, and of several in a row the first is told. The heap of an application may be full for a moment; then
 * there is perhaps no room to tell of it either, and the next one is told. The steps are to be taken by a platform thread: a
 * virtual one takes memory of the heap to rest, and would end there.
 *
 * <p>Belongs to the thread that takes the steps, but for its end.
 */
public final class Upkeep {
    private final Runnable work;
    private final Consumer<Throwable> listener;
    private boolean isTold;
    private volatile boolean isEnded;
    private volatile @Nullable Thread stepping;

    /**
     * Creates it; no step is taken yet.
     *
     * @param work what a step does
     * @param listener is told of defects
     */
    public Upkeep(Runnable work, Consumer<Throwable> listener) {
        this.work = work;
        this.listener = listener;
    }

    /** Takes a step after each pause, on the calling thread, until it is ended or the thread interrupted. */
    public void stepUntilEnd(Duration pause) {
        stepping = Thread.currentThread();
        while (!isOverAfter(pause.toNanos())) {
            var _ = step();
        }
    }

    /** Does the same, but for the pause before the first step. */
    public void stepAtOnceUntilEnd(Duration pause) {
        if (!isEnded) {
            var _ = step();
        }
        stepUntilEnd(pause);
    }

    /** A CountDownLatch takes memory to wait; where there is none, JDK 25 waits without the bound, until the latch is opened. */
    private boolean isOverAfter(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !isOver(); left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return isOver();
    }

    /** Nobody interrupts the thread but to end it. */
    private boolean isOver() {
        return isEnded || Thread.currentThread().isInterrupted();
    }

    /** No step begins any more. For any thread. */
    public void end() {
        isEnded = true;
        LockSupport.unpark(stepping);
    }

    /** Returns whether {@link #end} was called. */
    public boolean isEnded() {
        return isEnded;
    }

    /**
     * Takes a step.
     *
     * @return whether it was not broken off
     */
    public boolean step() {
        try {
            work.run();
            isTold = false;
            return true;
        } catch (RuntimeException | Error defect) {
            if (!isTold) {
                tell(defect);
            }
            return false;
        }
    }

    private void tell(Throwable defect) {
        try {
            listener.accept(defect);
            isTold = true;
        } catch (RuntimeException | Error _) {
            // no room to tell: the next one is
        }
    }
}
