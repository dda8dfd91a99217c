package dev.weir.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What passes a {@link TcpProxy} and what does not. One lock guards all of it, so that each order takes hold at once. */
final class Gate {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private final List<Sightings> sightings = new ArrayList<>();
    boolean swallowsReplies;

    @Nullable
    String swallowReplyTo;

    boolean holdsReplies;
    long requestBytes;
    long replyBytes;
    long swallowedBytes;

    /** Changes the orders, and wakes everybody whom that may concern. */
    void change(Runnable order) {
        lock.lock();
        try {
            order.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Reads one of the numbers. */
    long look(LongSupplier number) {
        lock.lock();
        try {
            return number.getAsLong();
        } finally {
            lock.unlock();
        }
    }

    /** Lets everything pass again. */
    void open() {
        change(() -> {
            swallowsReplies = false;
            swallowReplyTo = null;
            holdsReplies = false;
        });
    }

    Sightings watch(String fragment) {
        var watch = new Sightings(this, fragment);
        change(() -> sightings.add(watch));
        return watch;
    }

    boolean isMute(ProxiedConnection connection) {
        return look(() -> connection.isMute ? 1 : 0) == 1;
    }

    /** Waits until {@code number} is at least {@code wanted}; returns whether it came to that within the deadline. */
    boolean awaitAtLeast(long wanted, LongSupplier number) throws InterruptedException {
        lock.lock();
        try {
            long left = Eventually.DEADLINE.toNanos();
            while (number.getAsLong() < wanted && left > 0) {
                left = changed.awaitNanos(left);
            }
            return number.getAsLong() >= wanted;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Mutes the connection of a client's bytes if the reply to them is to vanish.
     *
     * @param seen the bytes, after the end of those that passed before them
     * @param fresh where in {@code seen} they begin
     */
    void beforeRequest(ProxiedConnection connection, String seen, int fresh) {
        change(() -> {
            if (swallowReplyTo != null && Sightings.occurrences(swallowReplyTo, seen, fresh) > 0) {
                connection.isMute = true;
                swallowReplyTo = null;
            }
        });
    }

    /** Notes that bytes of a client have been handed to the server. */
    void afterRequest(String seen, int fresh) {
        change(() -> {
            requestBytes += seen.length() - fresh;
            sightings.forEach(watch -> watch.count += Sightings.occurrences(watch.fragment, seen, fresh));
        });
    }

    /** Returns whether {@code count} bytes of the server go on to the client, once replies are not held. */
    boolean passesReply(ProxiedConnection connection, int count) throws InterruptedException {
        lock.lock();
        try {
            replyBytes += count;
            changed.signalAll();
            while (holdsReplies && !swallowsReplies && !connection.isMute && !connection.isClosed) {
                changed.await();
            }
            connection.isMute |= swallowsReplies;
            swallowedBytes += connection.isMute ? count : 0;
            changed.signalAll();
            return !connection.isMute;
        } finally {
            lock.unlock();
        }
    }
}
