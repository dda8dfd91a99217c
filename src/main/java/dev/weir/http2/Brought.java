package dev.weir.http2;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/** Tasks that are brought to the thread of a connection from anywhere. It runs them one after another, and ends the round once. */
final class Brought {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isRoundDue = new AtomicBoolean();
    private final Executor thread;
    private final Runnable endOfRound;

    /**
     * Creates an empty queue.
     *
     * @param thread of the connection
     * @param endOfRound sends what the tasks wrote
     */
    Brought(Executor thread, Runnable endOfRound) {
        this.thread = thread;
        this.endOfRound = endOfRound;
    }

    void add(Runnable task) {
        tasks.add(task);
        roundLater();
    }

    /** Lets a round come, though nothing may be brought. */
    void roundLater() {
        if (isRoundDue.compareAndSet(false, true)) {
            thread.execute(this::round);
        }
    }

    private void round() {
        isRoundDue.set(false);
        try {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
        } finally {
            if (!tasks.isEmpty()) { // one of them threw, and the others shall not wait for the next one to come
                roundLater();
            }
            endOfRound.run();
        }
    }
}
