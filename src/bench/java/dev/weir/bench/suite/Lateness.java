package dev.weir.bench.suite;

import dev.weir.linux.TimerSlack;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * How late this machine is by itself: how long after its time a thread runs that has slept until then, a thread for each processor, which
 * is busy for a fifth of the time. At a low rate an answer waits for some such wakes. Those of one thread by another may be late where these are
 * not, so a small number here does not say that the machine has no tail.
 *
 * @param p50Ms of all wakes
 * @param p99Ms what 99 of 100 do not exceed
 */
record Lateness(double p50Ms, double p99Ms) {
    private static final long PERIOD_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long BUSY_NANOS = PERIOD_NANOS / 5;

    /** The first of them run code that is not compiled yet. */
    private static final int WAKES_BEFORE = 2_000;

    private static final int WAKES = 8_000;
    private static final double NANOS_PER_MILLI = 1e6;

    /** Measures it; takes five seconds. */
    static Lateness measure() throws InterruptedException {
        var all = new Histogram(3);
        var threads = new Thread[Runtime.getRuntime().availableProcessors()];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Thread.ofPlatform().start(() -> {
                Histogram own = sleeper();
                synchronized (all) {
                    all.add(own);
                }
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return new Lateness(
                all.getValueAtPercentile(50) / NANOS_PER_MILLI, all.getValueAtPercentile(99) / NANOS_PER_MILLI);
    }

    /** Who was late is not excused from its next time. */
    private static Histogram sleeper() {
        TimerSlack.none();
        var late = new Histogram(3);
        long due = System.nanoTime();
        for (int i = 0; i < WAKES_BEFORE + WAKES; i++) {
            due += PERIOD_NANOS;
            long now = System.nanoTime();
            while (now < due) {
                LockSupport.parkNanos(due - now);
                now = System.nanoTime();
            }
            if (i >= WAKES_BEFORE) {
                late.recordValue(now - due);
            }
            for (long end = now + BUSY_NANOS; System.nanoTime() < end; ) {
                Thread.onSpinWait();
            }
        }
        return late;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "threads wake %.2f ms late, 1 of 100 %.2f or more", p50Ms, p99Ms);
    }
}
