package dev.weir.bench.suite;

import dev.weir.bench.Generator;
import dev.weir.bench.Stopwatch;
import dev.weir.bench.load.Load;
import dev.weir.bench.request.Route;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A load that runs, and is measured round by round. */
final class Rounds implements AutoCloseable {
    private static final String HERE = "127.0.0.1";

    private final Generator generator;
    private final Stopwatch watch;
    private final Target target;
    private CpuTimes cpuFrom;

    private Rounds(Generator generator, Stopwatch watch, Target target) {
        this.generator = generator;
        this.watch = watch;
        this.target = target;
        this.cpuFrom = CpuTimes.now(target);
    }

    /** Puts a load on a service. */
    static Rounds begin(Load load, Target target) throws InterruptedException {
        var generator = Generator.connect(load, Route.inTheClear(HERE, target.port()));
        return new Rounds(generator, Stopwatch.begin(generator), target);
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

    /** Lets the load run until this time has passed since the end of the round before, and measures that. */
    Round next(Duration length) throws InterruptedException {
        var stretch = watch.next(length, (_, _, _) -> {});
        var cpu = CpuTimes.now(target);
        var round = new Round(stretch.seconds(), stretch.totals(), cpu.since(cpuFrom));
        cpuFrom = cpu;
        return round;
    }

    @Override
    public void close() {
        generator.close();
    }
}
