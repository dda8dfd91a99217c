package dev.weir.meter;

import java.util.List;
import java.util.stream.IntStream;

/**
 * How many values other than zero lay in each class of a histogram at one moment.
 *
 * @param bounds the largest value of each class, ascending; one more class has all beyond
 * @param counts of each class, those of smaller ones not included
 */
public record Spread(List<Long> bounds, List<Long> counts) {
    public Spread {
        bounds = List.copyOf(bounds);
        counts = List.copyOf(counts);
    }

    /** Returns what has come since an earlier moment of the same histogram. */
    public Spread since(Spread before) {
        return new Spread(
                bounds,
                IntStream.range(0, counts.size())
                        .mapToObj(i -> counts.get(i) - before.counts.get(i))
                        .toList());
    }

    /** Returns how many values there are. */
    public long count() {
        return counts.stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Returns about the value that a share of the values does not exceed, as if those of each class lay evenly in it.
     *
     * @param share from 0 to 1
     * @return the largest bound where that value is larger; not a number if there are no values
     */
    public double quantile(double share) {
        double left = share * count();
        for (int i = 0; i < bounds.size(); i++) {
            long here = counts.get(i);
            if (here > 0 && left <= here) {
                long from = i == 0 ? 0 : bounds.get(i - 1);
                return from + (bounds.get(i) - from) * left / here;
            }
            left -= here;
        }
        return count() == 0 ? Double.NaN : bounds.getLast();
    }
}
