package dev.weir.bench.suite;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Rows as a table in Markdown, to be read on a terminal too. */
final class Table {
    private static final int NAME_WIDTH = 32;
    private static final List<String> HEADS = List.of(
            "decisions/s",
            "lowest-highest ",
            "x INCR",
            "p50 ms",
            "p99 ms",
            "  its ends ",
            "p99.9 ms",
            "max ms",
            "errors",
            "over %",
            "Weir us",
            "Redis us",
            "load us");

    private Table() {}

    /** Returns the two lines above the rows. */
    static String head() {
        return line("measured", HEADS)
                + "\n| " + "-".repeat(NAME_WIDTH) + " |"
                + HEADS.stream()
                        .map(head -> " " + "-".repeat(head.length()) + ": |")
                        .collect(Collectors.joining());
    }

    /** Returns a row. */
    static String row(Row row) {
        Double ratio = row.timesIncr();
        return line(
                row.name(),
                List.of(
                        Spread.cell("%,.0f", row.verdictsPerSecond()),
                        Spread.ends("%,.0f", row.verdictsPerSecond()),
                        ratio == null ? "-" : String.format(Locale.ROOT, "%.2f", ratio),
                        Spread.cell("%.2f", row.p50Ms()),
                        Spread.cell("%.2f", row.p99Ms()),
                        Spread.ends("%.2f", row.p99Ms()),
                        Spread.cell("%.2f", row.p999Ms()),
                        Spread.cell("%.2f", row.maxMs()),
                        Long.toString(row.errors()),
                        String.format(Locale.ROOT, "%.1f", 100 * row.overShare()),
                        Spread.cell("%.2f", row.weirMicros()),
                        Spread.cell("%.2f", row.redisMicros()),
                        Spread.cell("%.2f", row.loadMicros())));
    }

    private static String line(String name, List<String> cells) {
        var line = new StringBuilder("| ")
                .append(String.format(Locale.ROOT, "%-" + NAME_WIDTH + "s", name))
                .append(" |");
        for (int i = 0; i < cells.size(); i++) {
            int width = HEADS.get(i).length() + 1;
            line.append(" ")
                    .append(String.format(Locale.ROOT, "%" + width + "s", cells.get(i)))
                    .append(" |");
        }
        return line.toString();
    }
}
