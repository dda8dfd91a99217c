package dev.weir.meter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A few counts that one event moves together, side by side.
 *
 * <p>With ten thousand rules a count is seldom in a processor's cache, so that what a request counts shall lie in one place: a
 * {@link java.util.concurrent.atomic.LongAdder} for each would be two waits for memory more. As there, threads that often meet
 * are sent to places of their own, which takes ten times the room, so that one hot rule does not hold them up.
 *
 * <p>Safe for use by any thread; a count takes no lock.
 */
public final class Counts {
    /** How often two threads must have met. */
    private static final int OFTEN = 100;

    private static final int MOST_STRIPES = 8;

    /** Longs before and after those of a stripe, so that no other thread's lie in the same lines of a cache. */
    private static final int APART = 8;

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
        this.common = new long[size];
    }

    /** Adds to the count at a place. */
    public void add(int place, long more) {
        long[][] striped = stripes;
        if (striped != null) {
            int stripe = THREAD.get() & (striped.length - 1);
            var _ = (long) COUNT.getAndAdd(striped[stripe], APART + place, more);
            return;
        }
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

    /** Sends threads to places of their own from now on. */
    synchronized void part() {
        if (stripes == null) {
            int processors = Runtime.getRuntime().availableProcessors();
            int count = Math.min(MOST_STRIPES, Integer.highestOneBit(Math.max(1, processors * 2 - 1)));
            stripes = new long[count][APART + common.length + APART];
        }
    }

    /** Returns the count at a place; what is added meanwhile may be in it or not. */
    public long sum(int place) {
        long sum = (long) COUNT.getOpaque(common, place);
        long[][] striped = stripes;
        if (striped != null) {
            for (long[] stripe : striped) {
                sum += (long) COUNT.getOpaque(stripe, APART + place);
            }
        }
        return sum;
    }
}
