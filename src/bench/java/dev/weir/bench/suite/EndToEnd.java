package dev.weir.bench.suite;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The program behind {@code make bench}: the end-to-end table, each line on a fresh Weir and an empty Redis. An argument
 * chooses the lines whose names hold it.
 */
final class EndToEnd {
    private static final Duration WARM_UP = Duration.ofSeconds(6);

    // At a low rate Java compiles for minutes what it has compiled after some seconds of a full load, and then for some
    // twenty what only runs at a low one. A service runs for weeks.
    private static final Duration FULL_LOAD_BEFORE_RATES = Duration.ofSeconds(15);
    private static final Duration WARM_UP_OF_RATES = Duration.ofSeconds(20);
    private static final Duration ROUND = Duration.ofSeconds(3);
    private static final int ROUNDS = 5;
    private static final PrintStream OUT = System.out;

    /**
     * What is written to the file.
     *
     * @param rows in the order of the table
     * @param two what a second descriptor costs; null if that was not asked for
     */
    record Result(Machine machine, List<Row> rows, @Nullable InTurns two) {}

    /** The INCRs a second of the Redis that was measured last; a memory store is compared with them too. */
    private double incr = Double.NaN;

    private EndToEnd() {}

    /** Measures. */
    public static void main(String[] arguments) throws InterruptedException {
        new EndToEnd().measure(arguments.length == 0 ? "" : String.join(" ", arguments));
    }

    private void measure(String part) throws InterruptedException {
        var machine = Machine.now();
        OUT.printf("%s; %d rounds of %d s%n%n", machine, ROUNDS, ROUND.toSeconds());
        OUT.println(Table.head());
        var rows = new ArrayList<Row>();
        for (var scenario : Scenario.table()) {
            if (scenario.name().contains(part)) {
                var row = measure(scenario);
                rows.add(row);
                tell(row);
            }
        }
        var two = Scenario.TWO.name().contains(part) ? two() : null;
        OUT.printf(Locale.ROOT, "%nredis-benchmark, INCR, 64 clients, last: %,.0f/s%n", incr);
        OUT.println("Written to " + ResultFile.write("end-to-end.json", new Result(machine, rows, two)));
    }

    private static InTurns two() throws InterruptedException {
        var two = InTurns.of(Scenario.UNIFORM, Scenario.TWO);
        tell(two.first());
        tell(two.second());
        OUT.printf(
                "%nTwo descriptors of one, in turns: %s (%s)%n",
                Spread.cell("%.2f", two.ratio()), Spread.ends("%.2f", two.ratio()));
        return two;
    }

    private static void tell(Row row) {
        OUT.println(Table.row(row));
        if (row.firstError() != null) {
            OUT.println("  the first error: " + row.firstError());
        }
    }

    private Row measure(Scenario scenario) throws InterruptedException {
        boolean isClosed = scenario.load().deadline().isZero();
        try (var servers = Servers.start(scenario)) {
            var redis = servers.redis();
            if (redis != null && isClosed) {
                incr = Baseline.incrementsPerSecond(redis);
            }
            var load = scenario.load();
            if (!isClosed) {
                var full = Asked.closed(load.question(), load.keys());
                var _ = Rounds.all(full, servers.target(), Duration.ZERO, FULL_LOAD_BEFORE_RATES, 1);
            }
            var warmUp = isClosed ? WARM_UP : WARM_UP_OF_RATES;
            var rounds = Rounds.all(load, servers.target(), warmUp, ROUND, ROUNDS);
            return Row.of(scenario.name(), rounds, isClosed ? incr : Double.NaN);
        }
    }
}
