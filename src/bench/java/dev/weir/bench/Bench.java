package dev.weir.bench;

import dev.weir.settings.table.GoSyntax;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program behind {@code make bench}. */
@Command(
        name = "make bench",
        description = {
            "Measure ShouldRateLimit. Without an option: the standard set, on a Redis and a Weir of its own.",
            "With options (make bench BENCH_ARGS=\"...\"): one run."
        },
        mixinStandardHelpOptions = true)
final class Bench implements Callable<Integer> {
    private static final int ROUNDS = 3;
    private static final PrintStream OUT = System.out;

    @Option(names = "--address", paramLabel = "HOST:PORT", description = "Ask a service that runs already.")
    private @Nullable String address;

    @Option(names = "--memory", description = "Start Weir with the memory store and not with Redis.")
    private boolean isInMemory;

    @Option(names = "--connections", defaultValue = "4", description = "Connections (${DEFAULT-VALUE}).")
    private int connections;

    @Option(
            names = "--streams",
            defaultValue = "16",
            description = "Closed loop: requests under way on each (${DEFAULT-VALUE}).")
    private int streams;

    @Option(names = "--rate", defaultValue = "0", description = "Open loop: requests a second; 0 is a closed loop.")
    private int rate;

    @Option(names = "--deadline", defaultValue = "0", description = "grpc-timeout of each request, as 20ms; 0: none.")
    private String deadline = "";

    @Option(names = "--users", defaultValue = "100000", description = "Counters; 1: a hot key (${DEFAULT-VALUE}).")
    private int users;

    @Option(names = "--descriptors", defaultValue = "1", description = "1 or 2 (${DEFAULT-VALUE}).")
    private int descriptors;

    @Option(names = "--over-limit", description = "Ask for a limit of 1 an hour and not of 4,000,000,000.")
    private boolean isOverLimit;

    @Option(names = "--warmup", defaultValue = "10s", description = "Before the rounds (${DEFAULT-VALUE}).")
    private String warmup = "";

    @Option(names = "--round", defaultValue = "5s", description = "Length of each of the 3 rounds (${DEFAULT-VALUE}).")
    private String round = "";

    @Option(names = "--rules", description = "Print the rules that the service at --address must have, and end.")
    private boolean isShowingRules;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
    private CommandSpec spec;

    private Bench() {}

    /** Measures what the arguments ask for. */
    public static void main(String[] arguments) {
        var line = new CommandLine(new Bench()).setExecutionExceptionHandler((failure, command, _) -> {
            if (!(failure instanceof BenchException)) {
                throw failure;
            }
            command.getErr().println(failure.getMessage());
            return 1;
        });
        System.exit(line.execute(arguments));
    }

    @Override
    public Integer call() throws InterruptedException {
        if (isShowingRules) {
            OUT.print(BenchRules.text(load()));
            return 0;
        }
        boolean isStandard = spec.commandLine().getParseResult().originalArgs().isEmpty();
        OUT.printf(
                "%d processors, load %.1f before; Java %s; %d rounds of %s after %s, medians%n%n",
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.version(),
                ROUNDS,
                round,
                warmup);
        OUT.println(Report.head());
        for (var scenario : isStandard ? Scenario.standard() : List.of(asked())) {
            var report = measure(scenario);
            OUT.println(report.line());
            report.firstFailure().forEach(failure -> OUT.println("  the first error: " + failure));
        }
        return 0;
    }

    private Report measure(Scenario scenario) throws InterruptedException {
        if (address != null) {
            return new Report(scenario, run(scenario.load(), at(address)), Double.NaN);
        }
        try (var servers = Servers.start(scenario)) {
            var redis = servers.redis();
            double baseline = redis == null ? Double.NaN : Baseline.incrementsPerSecond(redis);
            return new Report(scenario, run(scenario.load(), servers.target()), baseline);
        }
    }

    private List<Round> run(Load load, Target target) throws InterruptedException {
        try (var generator = new Generator(load, target)) {
            return generator.run(duration("--warmup", warmup), duration("--round", round), ROUNDS);
        }
    }

    private Scenario asked() {
        String where = address != null ? address : isInMemory ? "memory" : "Redis";
        return new Scenario(where, !isInMemory, load());
    }

    private Load load() {
        try {
            var within = duration("--deadline", deadline);
            return new Load(connections, streams, rate, within, users, descriptors, isOverLimit);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private Target at(String hostAndPort) {
        int colon = hostAndPort.lastIndexOf(':');
        try {
            return Target.at(hostAndPort.substring(0, colon), Integer.parseInt(hostAndPort.substring(colon + 1)));
        } catch (IndexOutOfBoundsException | NumberFormatException _) {
            throw wrong("--address is '" + hostAndPort + "': give host:port");
        }
    }

    private Duration duration(String option, String text) {
        var length = GoSyntax.duration(text);
        if (length == null || length.isNegative()) {
            throw wrong(option + " is '" + text + "': give a duration as 5s or 20ms");
        }
        return length;
    }

    private ParameterException wrong(@Nullable String sentence) {
        return new ParameterException(spec.commandLine(), String.valueOf(sentence));
    }
}
