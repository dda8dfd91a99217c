package dev.weir.bench.suite;

import dev.weir.bench.load.Load;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The program behind {@code make bench-overload}: what is answered in time when twice as much comes as can be answered, and when
 * the load falls again. Turn by turn with a fresh look at how much can be answered, for that changes with the hour.
 */
final class Overload {
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Duration ROUND = Duration.ofSeconds(3);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration DEADLINE = Duration.ofMillis(20);
    private static final int TURNS = 5;
    private static final int TWICE = 2;
    private static final PrintStream OUT = System.out;

    /**
     * What one turn measured.
     *
     * @param saturation answered a second in a closed loop
     * @param offered a second, twice that
     * @param inTime of these, a second
     * @param firstSecond answered in time in the first second at half of the saturation throughput, right after
     * @param residentMiB memory of Weir at the end of the overload
     */
    record Turn(double saturation, double offered, double inTime, double firstSecond, double residentMiB) {}

    /** What is written to the file. */
    record Result(
            Machine machine,
            List<Turn> redis,
            List<Turn> redisSixteenLimits,
            List<Turn> memory,
            List<Turn> memorySixteenLimitsOfMesh) {}

    private Overload() {}

    /** Measures. */
    public static void main(String[] arguments) throws InterruptedException {
        var machine = Machine.now();
        OUT.println(machine);
        var result = new Result(
                machine,
                turns("Redis", true, BenchRules.wide(), Asked.closed(Scenario.ONE_DESCRIPTOR, Scenario.MANY)),
                turns(
                        "Redis, sixteen limits a request",
                        true,
                        BenchRules.eight(),
                        Asked.closed(Scenario.TWO_DESCRIPTORS, Scenario.MANY)),
                turns("memory", false, BenchRules.wide(), Asked.closed(Scenario.ONE_DESCRIPTOR, Scenario.MANY)),
                turns(
                        "memory, sixteen limits a request, 400 connections",
                        false,
                        BenchRules.eight(),
                        Asked.closedOfMesh(Scenario.TWO_DESCRIPTORS, Scenario.FEWER)));
        OUT.println("Written to " + ResultFile.write("overload.json", result));
    }

    private static List<Turn> turns(String store, boolean isOnRedis, String rules, Load closed)
            throws InterruptedException {
        OUT.println("\n" + store + ":");
        var turns = new ArrayList<Turn>();
        try (var servers = Servers.start(new Scenario(store, isOnRedis, rules, closed))) {
            var _ = Rounds.all(closed, servers.target(), Duration.ZERO, WARM_UP, 1);
            var _ = turn(closed, servers.target()); // the way of those that are turned away is warmed up too
            for (int i = 0; i < TURNS; i++) {
                var turn = turn(closed, servers.target());
                turns.add(turn);
                OUT.printf(
                        Locale.ROOT,
                        "  %,9.0f/s at most; %,9.0f/s offered: %3.0f %% of the most in time; then half: %3.0f %% of it in"
                                + " the first second; %3.0f MiB%n",
                        turn.saturation,
                        turn.offered,
                        100 * turn.inTime / turn.saturation,
                        100 * turn.firstSecond / (turn.saturation / TWICE),
                        turn.residentMiB);
            }
        }
        return turns;
    }

    private static Turn turn(Load closed, Target target) throws InterruptedException {
        double most = Rounds.all(closed, target, SECOND, ROUND, 1).getFirst().verdictsPerSecond();
        var over = round(closed, (int) (TWICE * most), ROUND, target);
        double residentMiB = ProcessMemory.residentMebibytes(target.weirPid());
        var after = round(closed, (int) (most / TWICE), SECOND, target);
        return new Turn(
                most,
                over.totals().requests() / over.seconds(),
                over.verdictsPerSecond(),
                after.verdictsPerSecond(),
                residentMiB);
    }

    private static Round round(Load closed, int rate, Duration length, Target target) throws InterruptedException {
        try (var rounds = Rounds.begin(Asked.open(closed, rate, DEADLINE), target)) {
            return rounds.next(length);
        }
    }
}
