package dev.weir.store.redis;

import dev.weir.bench.suite.RedisOnPath;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The program behind {@code make bench-script}: what a call of 64 checks costs Redis, as Redis itself counts the time
 * ({@code INFO commandstats}). Calls go back to back on one connection.
 *
 * <p>With the paths of the older script's files it compares: the two in turns, round by round, on keys of their own.
 */
final class ScriptSpeed {
    private static final int CALLS = 20; // each with counters of its own
    private static final int ROUNDS = 31;
    private static final int TIMES = 100;
    private static final int COMPARED_ROUNDS = 501;
    private static final int COMPARED_TIMES = 50;
    private static final PrintStream OUT = System.out;

    private ScriptSpeed() {}

    /** Measures. Arguments are the files of an older script in their order, or none. */
    public static void main(String[] arguments) throws IOException {
        try (var redis = RedisOnPath.start();
                var calls = new ScriptCalls(redis.port())) {
            OUT.printf("Redis %s, %d checks a call%n%n", redis.version(), ScriptLoad.CHECKS);
            if (arguments.length > 0) {
                compare(calls, arguments);
            } else {
                table(calls);
            }
        }
    }

    private static void compare(ScriptCalls calls, String... files) throws IOException {
        String before = calls.load(Stream.of(files).map(ScriptSpeed::text).collect(Collectors.joining("\n")));
        String now = calls.load(Script.production().text());
        var load = ScriptLoad.plain();
        List<List<String[]>> sides = List.of(
                calls(i -> ScriptCalls.call(before, load.plans(i))),
                calls(i -> ScriptCalls.call(now, load.plans(CALLS + i))));
        double[][] micros = new double[sides.size()][COMPARED_ROUNDS];
        for (var side : sides) {
            calls.microsOf(side, COMPARED_TIMES);
        }
        for (int round = 0; round < COMPARED_ROUNDS; round++) {
            for (int i = 0; i < sides.size(); i++) { // who is first changes, for the clock of the processor does too
                int side = (i + round) % sides.size();
                micros[side][round] = calls.microsOf(sides.get(side), COMPARED_TIMES);
            }
        }
        double[] ratios = IntStream.range(0, COMPARED_ROUNDS)
                .mapToDouble(round -> micros[1][round] / micros[0][round])
                .toArray();
        OUT.printf(
                Locale.ROOT,
                "before %.2f us a call (best %.2f), now %.2f us (best %.2f), median of the rounds' ratios %.3f%n",
                median(micros[0]),
                best(micros[0]),
                median(micros[1]),
                best(micros[1]),
                median(ratios));
    }

    private static void table(ScriptCalls calls) throws IOException {
        String sha = calls.load(Script.production().text());
        OUT.println("| checks | us a call | us a check |");
        OUT.println("| --- | ---: | ---: |");
        for (var load : ScriptLoad.all()) {
            double micros = measure(calls, sha, load);
            OUT.printf(Locale.ROOT, "| %s | %.1f | %.2f |%n", load.name(), micros, micros / ScriptLoad.CHECKS);
        }
    }

    private static double measure(ScriptCalls calls, String sha, ScriptLoad load) throws IOException {
        calls.flush();
        var filling = calls(i -> ScriptCalls.call(sha, load.filling(i)));
        if (load.hitsBefore() > 0) {
            calls.microsOf(filling, load.hitsBefore() * CALLS);
        }
        var asked = calls(i -> ScriptCalls.call(sha, load.plans(i)));
        calls.microsOf(asked, TIMES);
        double[] micros = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            micros[round] = calls.microsOf(asked, TIMES);
        }
        return median(micros);
    }

    private static List<String[]> calls(IntFunction<String[]> call) {
        return IntStream.range(0, CALLS).mapToObj(call).toList();
    }

    private static String text(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double median(double... all) {
        double[] sorted = all.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static double best(double... all) {
        return Arrays.stream(all).min().orElseThrow();
    }
}
