package dev.weir.bench.suite;

import dev.weir.bench.Generator;
import dev.weir.bench.load.Load;
import dev.weir.bench.request.Route;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A load that runs, and is measured round by round. */
final class Rounds implements AutoCloseable {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final String HERE = "127.0.0.1";

    private final Generator generator;
    private final Target target;

    private Rounds(Generator generator, Target target) {
        this.generator = generator;
        this.target = target;
    }

    /** Puts a load on a service. */
    static Rounds begin(Load load, Target target) throws InterruptedException {
        var generator = Generator.connect(load, Route.inTheClear(HERE, target.port()));
        generator.begin();
        return new Rounds(generator, target);
    }

    /**
     * Puts a load on a service, warms it up under the load and measures it.
     *
     * @param round time of each round
     * @param count of them
     */
    static List<Round> all(Load load, Target target, Duration warmup, Duration round, int count)
            throws InterruptedException {
        try (var rounds = begin(load, target)) {
            var _ = rounds.next(warmup);
            var measured = new ArrayList<Round>();
            for (int i = 0; i < count; i++) {
                measured.add(rounds.next(round));
            }
            return measured;
        }
    }

    /** Lets the load run for this time and measures it. */
    Round next(Duration length) throws InterruptedException {
        long start = System.nanoTime();
        var cpu = CpuTimes.now(target);
        Thread.sleep(length);
        var totals = generator.take();
        double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
        return new Round(seconds, totals, CpuTimes.now(target).since(cpu));
    }

    @Override
    public void close() {
        generator.close();
    }
}
