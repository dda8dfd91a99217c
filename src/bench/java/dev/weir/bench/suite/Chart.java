package dev.weir.bench.suite;

import java.util.ArrayList;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** A diagram of lines as SVG, in the manner of the other pictures of docs/. */
final class Chart {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 400;
    private static final int LEFT = 72;
    private static final int RIGHT = WIDTH - 150;
    private static final int TOP = 64;
    private static final int FLOOR = HEIGHT - 56;
    private static final List<String> COLORS = List.of("#0969da", "#8250df", "#bc4c00", "#1a7f37");

    private static final String STYLE = """
            <style>
            text { font: 12px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #57606a; }
            .name { font-weight: 600; font-size: 15px; fill: #24292f; }
            .axis { stroke: #57606a; }
            .grid { stroke: #d0d7de; }
            .line { fill: none; stroke-width: 2; }
            </style>
            """;

    /**
     * A point of a line.
     *
     * @param x to the right
     * @param y upwards
     */
    record Point(double x, double y) {}

    /**
     * A line with its name at its end.
     *
     * @param isDashed to be told from another one
     */
    record Line(String name, boolean isDashed, List<Point> points) {}

    /**
     * An axis.
     *
     * @param name with the unit
     * @param ticks where the axis has numbers, in order; the first and the last one are its ends
     * @param isLog whether it shows magnitudes
     * @param label of a tick
     */
    record Axis(String name, List<Double> ticks, boolean isLog, Function<Double, String> label) {

        /** Returns the part of the way from the first to the last tick, clipped to it. */
        double share(double value) {
            double low = scaled(ticks.getFirst());
            double high = scaled(ticks.getLast());
            return Math.clamp((scaled(value) - low) / (high - low), 0, 1);
        }

        private double scaled(double value) {
            return isLog ? Math.log(Math.max(value, Double.MIN_NORMAL)) : value;
        }
    }

    private final Axis across;
    private final Axis upwards;
    private final Formatter svg = new Formatter(Locale.ROOT);

    private Chart(Axis across, Axis upwards) {
        this.across = across;
        this.upwards = upwards;
    }

    /**
     * Draws lines.
     *
     * @param note below the title: on what it was measured
     */
    static String svg(String title, String note, Axis across, Axis upwards, List<Line> lines) {
        var chart = new Chart(across, upwards);
        chart.ground(title, note);
        chart.grid();
        var taken = new ArrayList<Double>();
        for (int i = 0; i < lines.size(); i++) {
            chart.line(lines.get(i), COLORS.get(i % COLORS.size()), taken);
        }
        return chart.svg.format("</svg>\n").toString();
    }

    private void ground(String title, String note) {
        svg.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\" height=\"%2$d\" role=\"img\">\n",
                WIDTH, HEIGHT);
        svg.format("<title>%s</title>\n%s", escaped(title), STYLE);
        // A ground of its own, so that it can be read on a dark page too.
        svg.format(
                "<rect x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"#ffffff\" stroke=\"#d0d7de\"/>\n",
                WIDTH - 1, HEIGHT - 1);
        svg.format("<text class=\"name\" x=\"16\" y=\"26\">%s</text>\n", escaped(title));
        svg.format("<text x=\"16\" y=\"44\">%s</text>\n", escaped(note));
    }

    private void grid() {
        for (double tick : upwards.ticks) {
            svg.format(
                    "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%3$.1f\" y2=\"%3$.1f\"/>\n", LEFT, RIGHT, y(tick));
            text(LEFT - 8, y(tick) + 4, "end", upwards.label.apply(tick));
        }
        for (double tick : across.ticks) {
            svg.format(
                    "<line class=\"grid\" x1=\"%1$.1f\" x2=\"%1$.1f\" y1=\"%2$d\" y2=\"%3$d\"/>\n",
                    x(tick), TOP, FLOOR);
            text(x(tick), FLOOR + 18, "middle", across.label.apply(tick));
        }
        svg.format("<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%3$d\" y2=\"%3$d\"/>\n", LEFT, RIGHT, FLOOR);
        text((LEFT + RIGHT) / 2.0, FLOOR + 40, "middle", across.name);
        text(LEFT, TOP - 8, "end", upwards.name);
    }

    private void line(Line line, String color, List<Double> taken) {
        if (line.points.isEmpty()) {
            return;
        }
        var points = new StringBuilder();
        for (var point : line.points) {
            points.append(String.format(Locale.ROOT, " %.1f,%.1f", x(point.x), y(point.y)));
            svg.format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", x(point.x), y(point.y), color);
        }
        svg.format(
                "<polyline class=\"line\" stroke=\"%s\"%s points=\"%s\"/>\n",
                color,
                line.isDashed ? " stroke-dasharray=\"6 4\"" : "",
                points.toString().strip());
        double beside = free(y(line.points.getLast().y) + 4, taken);
        svg.format(
                "<text x=\"%d\" y=\"%.1f\" style=\"fill: %s\">%s</text>\n",
                RIGHT + 10, beside, color, escaped(line.name));
    }

    /** A name stands at the end of its line, or below the names that stand there already. */
    private static double free(double wanted, List<Double> taken) {
        double place = wanted;
        for (boolean isMoved = true; isMoved; ) {
            isMoved = false;
            for (double other : taken) {
                if (Math.abs(other - place) < 14) {
                    place = other + 14;
                    isMoved = true;
                }
            }
        }
        taken.add(place);
        return place;
    }

    private void text(double x, double y, String anchor, String text) {
        svg.format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, escaped(text));
    }

    private double x(double value) {
        return LEFT + across.share(value) * (RIGHT - LEFT);
    }

    private double y(double value) {
        return FLOOR - upwards.share(value) * (FLOOR - TOP);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
