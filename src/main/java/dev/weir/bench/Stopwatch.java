package dev.weir.bench;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Measures one stretch of time after another under a load. Each begins where the one before ended, whatever its caller did in
 * between: what was answered meanwhile is counted in the next, and so the time must be.
 */
public final class Stopwatch {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Generator generator;
    private final LongSupplier nanoTime;
    private long from;
    private double cpuFrom = cpuSoFar();

    /** Hears of each second, and of what is left of one at the end. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Takes what was counted.
         *
         * @param second since the beginning of the stretch, from 1
         * @param seconds which the totals cover, about 1
         */
        void passed(int second, Totals totals, double seconds);
    }

    private Stopwatch(Generator generator, LongSupplier nanoTime) {
        this.generator = generator;
        this.nanoTime = nanoTime;
        this.from = nanoTime.getAsLong();
    }

    /** Lets a generator begin; the first stretch begins as soon as it has. */
    public static Stopwatch begin(Generator generator) throws InterruptedException {
        return begin(generator, System::nanoTime);
    }

    static Stopwatch begin(Generator generator, LongSupplier nanoTime) throws InterruptedException {
        generator.begin(); // the first time this loads classes, and nothing is sent yet
        return new Stopwatch(generator, nanoTime);
    }

    /** Lets the load go on for this time, and returns the stretch. */
    public Stretch next(Duration length, Progress progress) throws InterruptedException {
        var sum = new Totals();
        double cpuStart = cpuFrom;
        long start = from;
        for (int second = 1; SECOND.multipliedBy(second - 1L).compareTo(length) < 0; second++) {
            var whole = SECOND.multipliedBy(second);
            var until = whole.compareTo(length) < 0 ? whole : length;
            Thread.sleep(until.minusNanos(nanoTime.getAsLong() - start));
            var totals = generator.take();
            long now = nanoTime.getAsLong();
            double seconds = (now - from) / NANOS_PER_SECOND;
            from = now;
            cpuFrom = cpuSoFar();
            progress.passed(second, totals, seconds);
            sum = sum.plus(totals);
        }
        return new Stretch((from - start) / NANOS_PER_SECOND, sum, cpuFrom - cpuStart);
    }

    private static double cpuSoFar() {
        var cpu = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        return cpu.toNanos() / NANOS_PER_SECOND;
    }
}
