package dev.weir.upkeep;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Work beside the requests that is done step by step for as long as the service lives, and that nothing may end: nobody would
 * connect to a lost Redis again, or see that rules have changed.
 *
 * <p>A defect costs a step, and of several in a row the first is told. The heap of an application may be full for a moment; then
 * there is perhaps no room to tell of it either, and the next one is told. The steps are to be taken by a platform thread: a
 * virtual one takes memory of the heap to rest, and would end there.
 *
 * <p>Belongs to the thread that takes the steps.
 */
public final class Upkeep {
    private final Runnable work;
    private final Consumer<Throwable> listener;
    private boolean isTold;

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

    /** Takes a step after each pause, on the calling thread, until it is closed or interrupted. */
    public void stepUntil(CountDownLatch closed, Duration pause) {
        try {
            while (!closed.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                var _ = step();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // nobody interrupts the thread but to end it
        }
    }

    /** Does the same, but for the pause before the first step. */
    public void stepAtOnceUntil(CountDownLatch closed, Duration pause) {
        if (closed.getCount() > 0) {
            var _ = step();
        }
        stepUntil(closed, pause);
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
