package dev.weir.bench.suite;

import dev.weir.RateLimiter;
import dev.weir.StartException;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.Request;
import dev.weir.testing.RedisServer;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The program behind {@code make bench-library}: what a check costs in the process of who asks. Callers ask, wait for the verdict and
 * ask again; with Redis each of them is a virtual thread.
 */
final class Library {
    private static final int USERS = 100_000;
    private static final Duration WARM_UP = Duration.ofSeconds(8);
    private static final Duration ROUND = Duration.ofSeconds(2);
    private static final int ROUNDS = 5;
    private static final double MICROS = 1e6;
    private static final double NANOS = 1e9;
    private static final PrintStream OUT = System.out;

    /** What was measured: checks a second, microseconds of processor time of both processes for each, and how many failed in all rounds. */
    record Point(
            String name,
            Spread checksPerSecond,
            Spread ownMicros,
            @Nullable Spread redisMicros,
            long failures) {}

    /** What is written to the file. */
    record Result(Machine machine, List<Point> points) {}

    private Library() {}

    /** Measures. */
    public static void main(String[] arguments) throws Exception {
        var machine = Machine.now();
        var points = new ArrayList<Point>();
        OUT.printf("%s; medians of %d rounds of %d s%n", machine, ROUNDS, ROUND.toSeconds());
        try (var memory = RateLimiter.builder().rules(BenchRules.wide()).start()) {
            points.add(measured("memory, 1 thread", memory, new Callers(1, false), USERS, null));
            points.add(measured("memory, 2 threads", memory, new Callers(2, false), USERS, null));
        }
        try (var redis = RedisOnPath.start()) {
            try (var limiter = on(redis, BenchRules.wide())) {
                points.add(measured("Redis, 64 virtual threads", limiter, new Callers(64, true), USERS, redis));
                points.add(measured("Redis, 1 virtual thread", limiter, new Callers(1, true), USERS, redis));
            }
            try (var limiter = on(redis, BenchRules.narrow())) {
                points.add(measured("Redis, over the limit, 64", limiter, new Callers(64, true), 1, redis));
            }
        }
        OUT.println("Written to " + ResultFile.write("library.json", new Result(machine, points)));
    }

    private static RateLimiter on(RedisServer redis, String rules)
            throws StartException, ExecutionException, InterruptedException {
        Map<String, String> settings = Servers.on(redis);
        var limiter = RateLimiter.builder().rules(rules).setAll(settings).start();
        limiter.ready().get();
        return limiter;
    }

    /** Who asks. */
    private record Callers(int count, boolean areVirtual) {}

    private static Point measured(
            String name, RateLimiter limiter, Callers callers, int users, @Nullable RedisServer redis)
            throws InterruptedException {
        var checks = new LongAdder();
        var failures = new LongAdder();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < callers.count; i++) {
            var random = new SplittableRandom(i);
            Runnable asking = () -> ask(limiter, random, users, checks, failures);
            threads.add((callers.areVirtual ? Thread.ofVirtual() : Thread.ofPlatform()).start(asking));
        }
        Thread.sleep(WARM_UP);
        failures.reset();
        double[] perSecond = new double[ROUNDS];
        double[] own = new double[ROUNDS];
        double[] ofRedis = new double[ROUNDS];
        long redisPid = redis == null ? Target.NONE : Servers.pidOf(redis);
        for (int i = 0; i < ROUNDS; i++) {
            long start = System.nanoTime();
            double ownBefore = ProcessCpu.seconds(ProcessHandle.current().pid());
            double redisBefore = ProcessCpu.seconds(redisPid);
            checks.reset();
            Thread.sleep(ROUND);
            long count = checks.sum();
            perSecond[i] = count * NANOS / (System.nanoTime() - start);
            own[i] = (ProcessCpu.seconds(ProcessHandle.current().pid()) - ownBefore) * MICROS / count;
            ofRedis[i] = (ProcessCpu.seconds(redisPid) - redisBefore) * MICROS / count;
        }
        threads.forEach(Thread::interrupt);
        for (var thread : threads) {
            thread.join();
        }
        return told(name, perSecond, own, ofRedis, failures.sum());
    }

    private static Point told(String name, double[] perSecond, double[] own, double[] ofRedis, long failures) {
        var point = new Point(
                name,
                Objects.requireNonNull(Spread.of(perSecond)),
                Objects.requireNonNull(Spread.of(own)),
                Spread.of(ofRedis),
                failures);
        OUT.printf(
                Locale.ROOT,
                "  %-26s %,9.0f/s (%s), %.2f us of this process, %s of Redis, %d failed%n",
                point.name,
                point.checksPerSecond.median(),
                Spread.ends("%,.0f", point.checksPerSecond),
                point.ownMicros.median(),
                Spread.cell("%.2f us", point.redisMicros),
                failures);
        return point;
    }

    private static void ask(
            RateLimiter limiter, SplittableRandom random, int users, LongAdder checks, LongAdder failures) {
        while (!Thread.currentThread().isInterrupted()) {
            var user = new Entry("user", "u" + random.nextInt(users));
            try {
                var _ = limiter.check(Request.of(BenchRules.DOMAIN, Descriptor.of(user, new Entry("path", "/api"))))
                        .get();
                checks.increment();
            } catch (InterruptedException _) {
                return;
            } catch (ExecutionException _) {
                failures.increment();
            }
        }
    }
}
