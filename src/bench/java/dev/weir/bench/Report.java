package dev.weir.bench;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a scenario measured: medians over its rounds, of each number by itself. Errors are those of all rounds.
 *
 * @param scenario what was measured
 * @param rounds at least one
 * @param incrementsPerSecond of the same Redis a moment before; not a number if that was not measured
 */
record Report(Scenario scenario, List<Round> rounds, double incrementsPerSecond) {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MICROS_PER_SECOND = 1e6;
    private static final List<String> HEADS = List.of(
            "decisions/s",
            "x INCR",
            "p50 ms",
            "p90 ms",
            "p99 ms",
            "p99.9 ms",
            "max ms",
            "errors",
            "over %",
            "Weir us",
            "Redis us",
            "load us");
    private static final int NAME_WIDTH = 30;

    /** Returns the two lines above the table, which is one in Markdown. */
    static String head() {
        return line("measured", HEADS)
                + "\n| " + "-".repeat(NAME_WIDTH) + " |"
                + HEADS.stream()
                        .map(head -> " " + "-".repeat(head.length()) + ": |")
                        .collect(Collectors.joining());
    }

    /** Returns the line of the table. */
    String line() {
        boolean isClosed = scenario.load().rate() == 0;
        double rate = median(Round::verdictsPerSecond);
        return line(
                scenario.name(),
                List.of(
                        number("%,.0f", rate),
                        number("%.2f", isClosed ? rate / incrementsPerSecond : Double.NaN),
                        millis(0.5),
                        millis(0.9),
                        millis(0.99),
                        millis(0.999),
                        millis(1),
                        Long.toString(rounds.stream()
                                .mapToLong(round -> round.tally().errors())
                                .sum()),
                        number("%.1f", 100.0 * sum(Tally::refused) / Math.max(1, sum(Tally::verdicts))),
                        number("%.2f", median(round -> micros(round, round.cpu().weir()))),
                        number("%.2f", median(round -> micros(round, round.cpu().redis()))),
                        number("%.2f", median(round -> micros(round, round.cpu().generator())))));
    }

    /** Returns why the first request without a verdict had none, if one had none. */
    Stream<String> firstFailure() {
        return rounds.stream()
                .map(round -> round.tally().firstFailure())
                .filter(Objects::nonNull)
                .limit(1);
    }

    private String millis(double share) {
        return number("%.2f", median(round -> round.tally().latencies().percentile(share) / NANOS_PER_MILLI));
    }

    private static double micros(Round round, double cpuSeconds) {
        return cpuSeconds * MICROS_PER_SECOND / Math.max(1, round.tally().verdicts());
    }

    private long sum(ToLongFunction<Tally> count) {
        return rounds.stream()
                .mapToLong(round -> count.applyAsLong(round.tally()))
                .sum();
    }

    private double median(ToDoubleFunction<Round> number) {
        double[] sorted = rounds.stream().mapToDouble(number).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private static String number(String format, double number) {
        return Double.isNaN(number) ? "-" : format.formatted(number);
    }

    private static String line(String name, List<String> cells) {
        var line = new StringBuilder("| ").append(padded(name, NAME_WIDTH)).append(" |");
        for (int i = 0; i < cells.size(); i++) {
            int width = HEADS.get(i).length() + 1;
            line.append(" ")
                    .append(String.format(Locale.ROOT, "%" + width + "s", cells.get(i)))
                    .append(" |");
        }
        return line.toString();
    }

    private static String padded(String text, int width) {
        return String.format(Locale.ROOT, "%-" + width + "s", text);
    }
}
