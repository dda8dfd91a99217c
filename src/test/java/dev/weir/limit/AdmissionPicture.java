package dev.weir.limit;

import java.util.ArrayList;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A picture of what a limit makes of some arrivals, as SVG: a square for each hit over the second in which it came, filled if
 * it was admitted; below it what was left at each moment.
 */
final class AdmissionPicture {
    private static final long SECOND = 1_000_000;
    private static final long SECONDS = 40;
    private static final long STEP = SECOND / 100;

    private static final int LEFT = 96;
    private static final int SCALE = 20; // pixels a second
    private static final int RIGHT = LEFT + (int) SECONDS * SCALE;
    private static final int WIDTH = RIGHT + 24;
    private static final int TOP = 62;
    private static final int FLOOR_OF_HITS = 160;
    private static final int FLOOR_OF_REST = 250;
    private static final int HEIGHT = 284;
    private static final int HEIGHT_OF_REST = 60;
    private static final int SQUARE = 8;
    private static final int PITCH = 10;

    private static final String STYLE = """
            <style>
            text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #24292f; }
            .name { font-weight: 600; font-size: 15px; }
            .small { font-size: 12px; fill: #57606a; }
            .admitted { fill: #0969da; stroke: #0969da; }
            .refused { fill: #ffffff; stroke: #bc4c00; }
            .rest { fill: #ddf4ff; stroke: #0969da; stroke-width: 1.5; }
            .axis { stroke: #57606a; }
            .second { stroke: #d0d7de; }
            .window { stroke: #8250df; stroke-dasharray: 5 4; }
            .part { stroke: #c8b6e8; stroke-dasharray: 2 4; }
            </style>
            """;

    private final Limit limit;
    private final long[] arrivals;
    private final boolean[] admitted;
    private final List<Rest> rests = new ArrayList<>();
    private final Formatter svg = new Formatter(Locale.ROOT);
    private @Nullable State state;

    /** So many hits were left at an instant. */
    private record Rest(long instant, long hits) {}

    /**
     * Asks a limit.
     *
     * @param arrivals of one hit each, in microseconds from the beginning, in order
     */
    AdmissionPicture(Limit limit, long... arrivals) {
        this.limit = limit;
        this.arrivals = arrivals;
        this.admitted = new boolean[arrivals.length];
        int next = 0;
        for (long now = 0; now <= SECONDS * SECOND; now += STEP) {
            for (; next < arrivals.length && arrivals[next] <= now; next++) {
                look(arrivals[next]);
                admitted[next] = ask(arrivals[next]);
                look(arrivals[next]);
            }
            look(now);
        }
    }

    private boolean ask(long now) {
        Model model = Model.at(state, limit, now);
        boolean isAdmitted = Evaluation.ofHits(model, limit, 0, 1, 1).admitted() == 1;
        state = model.state();
        return isAdmitted;
    }

    private void look(long now) {
        rests.add(new Rest(now, Model.at(state, limit, now).left()));
    }

    private LongStream admissions() {
        return IntStream.range(0, arrivals.length).filter(i -> admitted[i]).mapToLong(i -> arrivals[i]);
    }

    private long mostInAWindow() {
        long window = limit.quota().windowMicros();
        return admissions()
                .map(first -> admissions()
                        .filter(each -> each >= first && each < first + window)
                        .count())
                .max()
                .orElse(0);
    }

    /** Returns the picture; to be asked once. */
    String svg(String name) {
        String sum = String.format(
                Locale.ROOT,
                "%d of %d admitted, at most %d of them within %d s",
                admissions().count(),
                arrivals.length,
                mostInAWindow(),
                limit.quota().windowSeconds());
        svg.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\" height=\"%2$d\" role=\"img\">\n",
                WIDTH, HEIGHT);
        svg.format("<title>%s: %s</title>\n%s", name, sum, STYLE);
        // A ground of its own, so that it can be read on a dark page too.
        svg.format(
                "<rect x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"#ffffff\" stroke=\"#d0d7de\"/>\n",
                WIDTH - 1, HEIGHT - 1);
        svg.format("<text class=\"name\" x=\"16\" y=\"28\">%s</text>\n", name);
        svg.format("<text class=\"small\" x=\"%d\" y=\"28\" text-anchor=\"end\">%s</text>\n", RIGHT, sum);
        legend();
        marks();
        hits();
        rest();
        return svg.format("</svg>\n").toString();
    }

    private void legend() {
        svg.format("<rect class=\"admitted\" x=\"17\" y=\"40\" width=\"8\" height=\"8\"/>\n");
        svg.format("<text class=\"small\" x=\"32\" y=\"48\">admitted</text>\n");
        svg.format("<rect class=\"refused\" x=\"97\" y=\"40\" width=\"8\" height=\"8\"/>\n");
        svg.format("<text class=\"small\" x=\"112\" y=\"48\">refused</text>\n");
        switch (limit.algorithm()) {
            case Algorithm.FixedWindow _, Algorithm.SlidingWindow _ -> {
                svg.format("<line class=\"window\" x1=\"174\" x2=\"200\" y1=\"44\" y2=\"44\"/>\n");
                svg.format("<text class=\"small\" x=\"206\" y=\"48\">a window of the clock begins</text>\n");
            }
            case Algorithm.SlidingLog _, Algorithm.TokenBucket _, Algorithm.LeakyBucket _, Algorithm.Gcra _ -> {
                // They know no windows of the clock.
            }
        }
    }

    /** The seconds, and where windows and their parts begin. */
    private void marks() {
        for (long second = 0; second <= SECONDS; second += 5) {
            line("second", second * SECOND);
            svg.format(
                    "<text class=\"small\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%d s</text>\n",
                    x(second * SECOND), FLOOR_OF_REST + 20, second);
        }
        switch (limit.algorithm()) {
            case Algorithm.FixedWindow _ -> lines("window", 1);
            case Algorithm.SlidingWindow(int parts) -> {
                if (parts > 1) {
                    lines("part", parts);
                }
                lines("window", 1);
            }
            case Algorithm.SlidingLog _, Algorithm.TokenBucket _, Algorithm.LeakyBucket _, Algorithm.Gcra _ -> {
                // They know no windows of the clock.
            }
        }
    }

    private void lines(String style, int parts) {
        long every = limit.quota().windowMicros() / parts;
        LongStream.rangeClosed(1, SECONDS * SECOND / every).forEach(i -> line(style, i * every));
    }

    private void line(String style, long instant) {
        svg.format(
                "<line class=\"%s\" x1=\"%2$d\" x2=\"%2$d\" y1=\"%3$d\" y2=\"%4$d\"/>\n",
                style, x(instant), TOP, FLOOR_OF_REST);
    }

    private static long x(long instant) {
        return LEFT + instant * SCALE / SECOND;
    }

    /** One above the other, the first one at the bottom. */
    private void hits() {
        int[] inSecond = new int[(int) SECONDS];
        for (int i = 0; i < arrivals.length; i++) {
            int second = (int) (arrivals[i] / SECOND);
            inSecond[second]++;
            svg.format(
                    "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%4$d\" height=\"%4$d\"/>\n",
                    admitted[i] ? "admitted" : "refused",
                    x(second * SECOND) + (SCALE - SQUARE) / 2,
                    FLOOR_OF_HITS - inSecond[second] * PITCH,
                    SQUARE);
        }
        axis("hits", FLOOR_OF_HITS);
    }

    private void axis(String name, int y) {
        svg.format("<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%3$d\" y2=\"%3$d\"/>\n", LEFT, RIGHT, y);
        svg.format("<text x=\"16\" y=\"%d\">%s</text>\n", y - 26, name);
    }

    private void rest() {
        var points = new StringBuilder();
        for (int i = 0; i < rests.size(); i++) {
            Rest each = rests.get(i);
            boolean isAsBefore = i > 0 && rests.get(i - 1).hits == each.hits;
            boolean isAsAfter = i + 1 < rests.size() && rests.get(i + 1).hits == each.hits;
            if (!isAsBefore || !isAsAfter) {
                points.append(String.format(
                        Locale.ROOT,
                        " %.1f,%.1f",
                        LEFT + (double) each.instant * SCALE / SECOND,
                        FLOOR_OF_REST - (double) each.hits * HEIGHT_OF_REST / limit.capacity()));
            }
        }
        svg.format(
                "<polygon class=\"rest\" points=\"%1$d,%2$d%3$s %4$d,%2$d\"/>\n", LEFT, FLOOR_OF_REST, points, RIGHT);
        String number = "<text class=\"small\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%d</text>\n";
        svg.format(number, LEFT - 6, FLOOR_OF_REST - HEIGHT_OF_REST + 5, limit.capacity());
        svg.format(number, LEFT - 6, FLOOR_OF_REST + 4, 0);
        axis("remaining", FLOOR_OF_REST);
    }
}
