package dev.weir.meter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A few counts that one event moves together, side by side.
 *
 * <p>With ten thousand rules a count is seldom in a processor's cache, so what a request counts shall lie in one place: a {@link
 * java.util.concurrent.atomic.LongAdder} for each would be two waits for memory more. As with that, threads that meet
 * get places of their own, so that a hot rule does not hold them up; that takes several times the room, and so only those that meet
 * time and again.
 *
 * <p>Safe for use by any thread; a count takes no lock, but for the one at which threads part.
 */
public final class Counts {
    /** How often two threads must have met. */
    private static final int OFTEN = 10;

    private static final int MOST_STRIPES = 8;

    /**
     * So many longs fill a line of a cache: what lies in one line is held up by all who write to it. Behind counts there is a
     * line for nothing, so that the next object's are not in theirs; and before those of one thread, for what all read.
     */
    private static final int LINE = 8;

    private static final AtomicInteger THREADS = new AtomicInteger();

    // In turn, so that as few as can be share a stripe; the numbers that Java gives leave gaps.
    private static final ThreadLocal<Integer> THREAD = ThreadLocal.withInitial(THREADS::getAndIncrement);

    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] common;
    private volatile long @Nullable [][] stripes;

    // Threads that write to it at once lose some: it only has to grow.
    private int met;

    /** Creates counts of zero, at the places from 0 to {@code size} - 1. */
    public Counts(int size) {
        this.common = new long[size + LINE];
    }

    /** Adds to the count at a place. */
    public void add(int place, long more) {
        long[][] striped = stripes;
        if (striped != null) {
            int stripe = THREAD.get() & (striped.length - 1);
            var _ = (long) COUNT.getAndAdd(striped[stripe], LINE + place, more);
            return;
        }
        // Fails only where another thread adds at the same moment, and then adds all the same.
        long seen = (long) COUNT.getOpaque(common, place);
        if (!COUNT.compareAndSet(common, place, seen, seen + more)) {
            var _ = (long) COUNT.getAndAdd(common, place, more);
            meet();
        }
    }

    private void meet() {
        met++;
        if (met >= OFTEN) {
            part();
        }
    }

    /** Sends threads to places of their own from now on: once, as a second set would lose what is counted in the first. */
    synchronized void part() {
        if (stripes == null) {
            int processors = Runtime.getRuntime().availableProcessors();
            int count = Math.min(MOST_STRIPES, Integer.highestOneBit(Math.max(1, processors * 2 - 1)));
            stripes = new long[count][LINE + common.length];
        }
    }

    /** Returns the count at a place; what is added meanwhile may be in it or not. */
    public long sum(int place) {
        long sum = (long) COUNT.getOpaque(common, place);
        long[][] striped = stripes;
        if (striped != null) {
            for (long[] stripe : striped) {
                sum += (long) COUNT.getOpaque(stripe, LINE + place);
            }
        }
        return sum;
    }
}
