package dev.weir.bench;

import java.time.Duration;

/**
 * A stretch of time under a load.
 *
 * @param seconds it lasted
 * @param totals of what ended in it
 * @param cpuSeconds processor time that this process took in it
 */
public record Stretch(double seconds, Totals totals, double cpuSeconds) {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Hears of each second, and of what is left of one at the end. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Takes what was counted.
         *
         * @param second since the beginning of the stretch, from 1
         * @param seconds that the totals is of, about 1
         */
        void passed(int second, Totals totals, double seconds);
    }

    /** Lets a generator run for this time. */
    public static Stretch of(Generator generator, Duration length, Progress progress) throws InterruptedException {
        var sum = new Totals();
        double cpu = cpuSoFar();
        long start = System.nanoTime();
        long from = start;
        for (int second = 1; SECOND.multipliedBy(second - 1L).compareTo(length) < 0; second++) {
            var whole = SECOND.multipliedBy(second);
            var until = whole.compareTo(length) < 0 ? whole : length;
            Thread.sleep(until.minusNanos(System.nanoTime() - start));
            var totals = generator.take();
            long now = System.nanoTime();
            progress.passed(second, totals, (now - from) / NANOS_PER_SECOND);
            sum = sum.plus(totals);
            from = now;
        }
        return new Stretch((from - start) / NANOS_PER_SECOND, sum, cpuSoFar() - cpu);
    }

    private static double cpuSoFar() {
        var cpu = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        return cpu.toNanos() / NANOS_PER_SECOND;
    }
}
