package dev.weir.meter;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Counts values by how large they are, since the start of the process. */
public final class Histogram {
    private final double unit;
    private final long[] bounds;
    private final LongAdder[] counts;
    private final LongAdder zeros = new LongAdder();
    private final LongAdder sum = new LongAdder();

    /**
     * Creates an empty histogram.
     *
     * @param unit how many of what is recorded make one of what is shown
     * @param shownBounds the largest value of each class as it is shown, ascending; one more class has all beyond
     */
    public Histogram(double unit, double... shownBounds) {
        this.unit = unit;
        bounds = new long[shownBounds.length];
        counts = new LongAdder[shownBounds.length + 1];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new LongAdder();
        }
        for (int i = 0; i < bounds.length; i++) {
            bounds[i] = Math.round(shownBounds[i] * unit);
        }
    }

    /** Counts a value. */
    public void record(long value) {
        if (value == 0) {
            zeros.increment();
            return;
        }
        int place = 0;
        while (place < bounds.length && value > bounds[place]) {
            place++;
        }
        counts[place].increment();
        sum.add(value);
    }

    /** Returns how many values lie in one class, those of smaller ones not included. */
    public long count(int place) {
        return place == 0 ? zeros.sum() + counts[0].sum() : counts[place].sum();
    }

    /** Returns how many values there are. */
    public long count() {
        return IntStream.range(0, counts.length).mapToLong(this::count).sum();
    }

    /**
     * Returns how many there are of which size, in the unit of what is recorded. Zeros are left out: nothing takes no time, so they are
     * of what was turned away, and the more of it there is, the faster the rest would seem.
     */
    public Spread spread() {
        return new Spread(
                LongStream.of(bounds).boxed().toList(),
                IntStream.range(0, counts.length).mapToObj(i -> counts[i].sum()).toList());
    }

    /** Returns the largest value of a class as it is shown; infinite for the last. */
    double bound(int place) {
        return place == bounds.length ? Double.POSITIVE_INFINITY : bounds[place] / unit;
    }

    /** Returns the sum of all values as it is shown. */
    double sum() {
        return sum.sum() / unit;
    }

    /** Tells all of it as it is shown. */
    public void tell(Meters meters, String metric, List<String> labels) {
        var shown = new double[bounds.length];
        for (int i = 0; i < bounds.length; i++) {
            shown[i] = bound(i);
        }
        var values = new long[counts.length];
        for (int i = 0; i < counts.length; i++) {
            values[i] = count(i);
        }
        meters.histogram(metric, labels, shown, values, sum());
    }
}
