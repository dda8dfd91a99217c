package dev.weir.bench.suite;

import static dev.weir.bench.suite.Asked.closed;

import dev.weir.bench.load.Keys;
import dev.weir.settings.table.GoSyntax;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program behind {@code make bench-soak}: how much memory Weir takes under full load, and whether that grows. */
@Command(
        name = "make bench-soak",
        description = "Put a closed loop on a Weir of its own and watch its memory.",
        mixinStandardHelpOptions = true)
final class Soak implements Callable<Integer> {
    private static final Duration LOOK_EVERY = Duration.ofSeconds(10);
    private static final PrintStream OUT = System.out;

    @Option(names = "--memory", description = "Start Weir with the memory store and not with Redis.")
    private boolean isInMemory;

    @Option(names = "--users", defaultValue = "1000000", description = "Counters (${DEFAULT-VALUE}).")
    private int users;

    @Option(names = "--length", defaultValue = "10m", description = "For how long (${DEFAULT-VALUE}).")
    private String length = "";

    private Soak() {}

    /** Soaks as the arguments ask. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Soak()).execute(arguments));
    }

    @Override
    public Integer call() throws InterruptedException {
        Duration total = Objects.requireNonNull(GoSyntax.duration(length), "--length is no duration");
        long looks = total.dividedBy(LOOK_EVERY);
        var scenario = new Scenario(
                "soak", !isInMemory, BenchRules.wide(), closed(Scenario.ONE_DESCRIPTOR, new Keys.Uniform(users)));
        try (var servers = Servers.start(scenario);
                var load = Rounds.begin(scenario.load(), servers.target())) {
            List<Double> mebibytes = new ArrayList<>();
            List<Round> rounds = new ArrayList<>();
            for (int i = 1; i <= looks; i++) {
                rounds.add(load.next(LOOK_EVERY));
                double now = ProcessMemory.residentMebibytes(servers.target().weirPid());
                mebibytes.add(now);
                OUT.printf("%5d s  %4.0f MiB%n", i * LOOK_EVERY.toSeconds(), now);
            }
            tell(mebibytes, rounds);
        }
        return 0;
    }

    private static void tell(List<Double> mebibytes, List<Round> rounds) {
        double most = mebibytes.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        double growth = mebibytes.getLast() - mebibytes.get(mebibytes.size() / 2);
        double perSecond =
                rounds.stream().mapToDouble(Round::verdictsPerSecond).average().orElseThrow();
        long verdicts =
                rounds.stream().mapToLong(round -> round.totals().verdicts()).sum();
        double cpu = rounds.stream().mapToDouble(round -> round.cpu().weir()).sum();
        long errors =
                rounds.stream().mapToLong(round -> round.totals().errorCount()).sum();
        OUT.printf(
                "%nmost %.0f MiB, growth in the second half %+.1f MiB; %,.0f decisions/s at %.2f us of Weir's, %,d errors%n",
                most, growth, perSecond, cpu * 1e6 / verdicts, errors);
        rounds.stream()
                .map(round -> round.totals().firstError())
                .filter(Objects::nonNull)
                .findFirst()
                .ifPresent(failure -> OUT.println("the first error: " + failure));
    }
}
