package dev.weir.bench.suite;

import dev.weir.bench.suite.Chart.Axis;
import dev.weir.bench.suite.Chart.Line;
import dev.weir.bench.suite.Chart.Point;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** Draws what was measured into docs/pictures. */
final class Pictures {
    private static final Path FOLDER = Path.of("docs", "pictures");
    private static final long FEWEST_RULES = 10;
    private static final long FEWEST_KEYS = 1_000;
    private static final MathContext LABEL = new MathContext(6);

    private Pictures() {}

    /** Draws latency over rate, of the file that {@link Ladder} has written; returns the picture. */
    static Path ladder(Path file) {
        var result = ResultFile.read(file, Ladder.Result.class);
        var lines = new ArrayList<Line>();
        for (var store : result.stores()) {
            lines.add(new Line(store.store() + ", p99", false, points(store, Ladder.Step::p99Ms)));
            lines.add(new Line(store.store() + ", p50", true, points(store, Ladder.Step::p50Ms)));
        }
        double fastest = result.stores().stream()
                .flatMap(store -> store.steps().stream())
                .mapToDouble(Ladder.Step::verdictsPerSecond)
                .max()
                .orElse(1);
        var across = new Axis("answered a second", ticks(fastest), false, Pictures::thousands);
        var upwards = new Axis(
                "ms", List.of(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 50.0), true, Pictures::plain);
        return write(
                "throughput_latency.svg",
                Chart.svg("Latency at rising rates", result.machine().toString(), across, upwards, lines));
    }

    /** Draws processor time over rules and keys, of the file that {@link Scale} has written; returns the picture. */
    static Path scale(Path file) {
        var result = ResultFile.read(file, Scale.Result.class);
        var lines = new ArrayList<Line>();
        for (String store : List.of("Redis", "memory")) {
            Predicate<Scale.Point> isOfStore = point -> point.store().equals(store);
            lines.add(line(
                    result,
                    store + ", more rules",
                    false,
                    isOfStore.and(point -> point.keys() == Math.max(FEWEST_KEYS, point.rules())),
                    Scale.Point::rules));
            lines.add(line(
                    result,
                    store + ", more keys",
                    true,
                    isOfStore.and(point -> point.rules() == FEWEST_RULES),
                    Scale.Point::keys));
        }
        double dearest = result.points().stream()
                .mapToDouble(point -> point.weirMicros().median())
                .max()
                .orElse(1);
        var across = new Axis(
                "rules (with 1,000 keys or one for each), or keys (with 10 rules)",
                List.of(10.0, 100.0, 1_000.0, 10_000.0, 100_000.0, 1_000_000.0),
                true,
                Pictures::thousands);
        var upwards = new Axis("us", ticks(dearest), false, Pictures::plain);
        return write(
                "scale.svg",
                Chart.svg(
                        "Processor time of Weir for a decision",
                        result.machine().toString(),
                        across,
                        upwards,
                        lines));
    }

    private static List<Point> points(Ladder.Steps steps, ToDoubleFunction<Ladder.Step> latency) {
        return steps.steps().stream()
                .map(step -> new Point(step.verdictsPerSecond(), latency.applyAsDouble(step)))
                .toList();
    }

    private static Line line(
            Scale.Result result,
            String name,
            boolean isDashed,
            Predicate<Scale.Point> isOnIt,
            ToDoubleFunction<Scale.Point> across) {
        return new Line(
                name,
                isDashed,
                result.points().stream()
                        .filter(isOnIt)
                        .map(point -> new Point(
                                across.applyAsDouble(point), point.weirMicros().median()))
                        .toList());
    }

    /** Returns round numbers from 0 to at least {@code highest}, five to ten of them. */
    static List<Double> ticks(double highest) {
        double magnitude = Math.pow(10, Math.floor(Math.log10(highest)));
        double step = highest / magnitude > 5 ? magnitude : highest / magnitude > 2 ? magnitude / 2 : magnitude / 5;
        int count = (int) Math.ceil(highest / step);
        return DoubleStream.iterate(0, tick -> tick + step)
                .limit(count + 1L)
                .boxed()
                .toList();
    }

    private static String thousands(double number) {
        return String.format(Locale.ROOT, "%,.0f", number);
    }

    /** Returns a number without the digits that come of adding fractions which are none in binary. */
    static String plain(double number) {
        return new BigDecimal(number).round(LABEL).stripTrailingZeros().toPlainString();
    }

    private static Path write(String name, String svg) {
        try {
            Files.createDirectories(FOLDER);
            return Files.writeString(FOLDER.resolve(name), svg);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
