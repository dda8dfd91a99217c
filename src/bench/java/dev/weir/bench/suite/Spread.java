package dev.weir.bench.suite;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A number that was measured several times.
 *
 * @param median of all
 * @param min the lowest
 * @param max the highest
 */
record Spread(double median, double min, double max) {

    /** Returns the spread of a number over rounds; null where it could not be measured. */
    static @Nullable Spread of(List<Round> rounds, ToDoubleFunction<Round> number) {
        return of(rounds.stream().mapToDouble(number).toArray());
    }

    /** Returns the spread of numbers; null where they could not be measured. */
    static @Nullable Spread of(double[] numbers) {
        double[] sorted = Arrays.stream(numbers).sorted().toArray();
        double middle = sorted[sorted.length / 2];
        return Double.isNaN(middle) ? null : new Spread(middle, sorted[0], sorted[sorted.length - 1]);
    }

    /** Returns the median for a table, a dash where there is none. */
    static String cell(String format, @Nullable Spread spread) {
        return spread == null ? "-" : String.format(Locale.ROOT, format, spread.median);
    }

    /** Returns the lowest and the highest for a table. */
    static String ends(String format, @Nullable Spread spread) {
        return spread == null ? "-" : String.format(Locale.ROOT, format + "-" + format, spread.min, spread.max);
    }
}
