package dev.weir.bench.suite;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * The program behind {@code make bench-pieces}: the parts of a decision by themselves, with JMH and what they allocate. With
 * {@code --short} fewer and shorter rounds; another argument is a regular expression of what to run.
 */
final class Pieces {
    private static final String SHORT = "--short";
    private static final String ALLOCATED = "gc.alloc.rate.norm";
    private static final List<String> FLAGS = List.of(
            "-XX:+UseParallelGC",
            "-Xmx512m",
            "-XX:+UseCompactObjectHeaders",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");
    private static final PrintStream OUT = System.out;

    private Pieces() {}

    /** Measures. */
    public static void main(String[] arguments) throws RunnerException, InterruptedException {
        var wanted = new ArrayList<>(List.of(arguments));
        boolean isShort = wanted.remove(SHORT);
        var file = ResultFile.named("pieces.json");
        var options = new OptionsBuilder()
                .include(wanted.isEmpty() ? "Pieces" : wanted.getFirst())
                .forks(1)
                .jvmArgs(FLAGS.toArray(String[]::new))
                .warmupIterations(isShort ? 3 : 5)
                .warmupTime(TimeValue.milliseconds(isShort ? 400 : 1_000))
                .measurementIterations(5)
                .measurementTime(TimeValue.milliseconds(isShort ? 300 : 1_000))
                .addProfiler("gc")
                .verbosity(VerboseMode.SILENT)
                .resultFormat(ResultFormatType.JSON)
                .result(file.toString());
        OUT.println(Machine.now());
        OUT.println();
        OUT.println("| piece | ns | +- | bytes allocated |");
        OUT.println("| --- | ---: | ---: | ---: |");
        for (RunResult result : new Runner(options.build()).run()) {
            row(result);
        }
        OUT.println();
        OUT.println("Written to " + file);
    }

    private static void row(RunResult result) {
        Result<?> time = result.getPrimaryResult();
        Result<?> bytes = result.getSecondaryResults().get(ALLOCATED);
        String rules = result.getParams().getParam("rules");
        OUT.printf(
                Locale.ROOT,
                "| %s%s | %.1f | %.1f | %s |%n",
                result.getParams().getBenchmark().replaceAll(".*\\.", ""),
                rules == null ? "" : ", " + rules + " rules",
                time.getScore(),
                time.getScoreError(),
                bytes == null ? "-" : String.format(Locale.ROOT, "%.0f", bytes.getScore()));
    }
}
