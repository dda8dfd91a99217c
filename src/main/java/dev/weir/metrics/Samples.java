package dev.weir.metrics;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongConsumer;

/**
 * Some of the times that were measured since they were last told: the first of them. A time that comes while they
 * are told may be lost, or be told as the one that stood in its place before. Telling them takes them away, so each listener has its own.
 */
final class Samples {
    static final int MOST = 500;

    private final AtomicLongArray nanos = new AtomicLongArray(MOST);
    private final AtomicInteger taken = new AtomicInteger();

    void offer(long time) {
        if (taken.get() < MOST) {
            int place = taken.getAndIncrement();
            if (place < MOST) {
                nanos.set(place, time);
            }
        }
    }

    /** Tells the samples, and begins anew. */
    void drain(LongConsumer told) {
        int size = Math.min(taken.get(), MOST);
        for (int i = 0; i < size; i++) {
            told.accept(nanos.get(i));
        }
        taken.set(0);
    }
}
