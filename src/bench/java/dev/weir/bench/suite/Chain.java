package dev.weir.bench.suite;

import dev.weir.linux.TimerSlack;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * How late this machine is by itself: how long it takes four threads to pass something on, each of which is busy with it for 20 us, at
 * 5,000 a second. It is the way of a request at that rate, without Weir and without a network: a generator that sleeps until it is due, the
 * service, Redis, and the service again. How late threads wake by a timer does not tell it: those that others wake may be later.
 *
 * @param p50Ms from when it was due to its end
 * @param p99Ms what 99 of 100 do not exceed
 */
record Chain(double p50Ms, double p99Ms) {
    private static final int RUNNERS = 4;
    private static final long PERIOD_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long BUSY_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    /** The first of them run code that is not compiled yet. */
    private static final int ROUNDS_BEFORE = 5_000;

    private static final int ROUNDS = 20_000;
    private static final double NANOS_PER_MILLI = 1e6;

    /** Measures it; takes five seconds. */
    static Chain measure() throws InterruptedException {
        var took = new Histogram(3);
        long start = System.nanoTime();
        var runners = new Runner[RUNNERS];
        for (int i = RUNNERS - 1; i >= 0; i--) {
            runners[i] = new Runner(start, i == 0, i + 1 < RUNNERS ? runners[i + 1] : null, took);
        }
        for (Runner runner : runners) {
            runner.start();
        }
        for (Runner runner : runners) {
            runner.join();
        }
        return new Chain(
                took.getValueAtPercentile(50) / NANOS_PER_MILLI, took.getValueAtPercentile(99) / NANOS_PER_MILLI);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "four threads pass 5,000 a second on in %.2f ms, 1 of 100 in %.2f or more", p50Ms, p99Ms);
    }

    private static final class Runner extends Thread {
        private final long start;
        private final boolean isFirst;
        private final @Nullable Runner next;
        private final Histogram took; // of the last only
        private volatile int given;

        Runner(long start, boolean isFirst, @Nullable Runner next, Histogram took) {
            this.start = start;
            this.isFirst = isFirst;
            this.next = next;
            this.took = took;
        }

        @Override
        public void run() {
            TimerSlack.none();
            for (int round = 0; round < ROUNDS_BEFORE + ROUNDS; round++) {
                long due = start + round * PERIOD_NANOS;
                awaitTurn(round, due);
                for (long end = System.nanoTime() + BUSY_NANOS; System.nanoTime() < end; ) {
                    Thread.onSpinWait();
                }
                if (next != null) {
                    next.given = round + 1;
                    LockSupport.unpark(next);
                } else if (round >= ROUNDS_BEFORE) {
                    took.recordValue(System.nanoTime() - due);
                }
            }
        }

        /** Who was late is not excused from the next. */
        private void awaitTurn(int round, long due) {
            if (isFirst) {
                for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
            } else {
                while (given <= round) {
                    LockSupport.park(this);
                }
            }
        }
    }
}
