package dev.weir.bench.load;

import java.util.SplittableRandom;

/**
 * Few keys that are asked for often and many that are asked for seldom, as users and addresses are: the one with number k in
 * proportion to 1 / (k + 1) to the power of an exponent.
 *
 * <p>Problem: to draw a rank k from 1 to n with a chance in proportion to h(k) = k^-s, for a million ranks, at a million
 * draws a second, for every s above 0.
 *
 * <p>Idea: rejection-inversion (W. Hörmann, G. Derflinger: Rejection-inversion to generate variates from monotone discrete
 * distributions, 1996). H, the integral of h, can be inverted: a uniform number between H(1.5) - 1 and H(n + 0.5) has a
 * place x under the curve, and k is x rounded. The bar of k is a little smaller than the stretch of the curve above it, so
 * a draw in the difference is thrown away: less than one in two for any s and n, a few in a hundred for most.
 *
 * <p>Costs: some logarithms a draw, no table. A table of cumulated chances would take 8 bytes a key and a binary search that
 * misses the processor's cache with each step.
 */
public final class ZipfKeys implements Keys {
    /** Where the series of a function at 0 is more exact than the function. */
    private static final double TINY = 1e-8;

    private final int count;
    private final double exponent;
    private final double lowest;
    private final double highest;
    private final double surelyAccepted;

    /**
     * Creates the keys.
     *
     * @param count at least 1
     * @param exponent above 0
     */
    public ZipfKeys(int count, double exponent) {
        if (count < 1 || !(exponent > 0) || Double.isInfinite(exponent)) {
            throw new IllegalArgumentException("keys must be at least 1 and the exponent of Zipf's law above 0, not "
                    + count + " and " + exponent);
        }
        this.count = count;
        this.exponent = exponent;
        this.lowest = integral(1.5) - 1;
        this.highest = integral(count + 0.5);
        this.surelyAccepted = 2 - inverse(integral(2.5) - weight(2));
    }

    @Override
    public int count() {
        return count;
    }

    /** Returns the exponent. */
    public double exponent() {
        return exponent;
    }

    @Override
    public int draw(SplittableRandom random) {
        while (true) {
            double under = highest + random.nextDouble() * (lowest - highest);
            double x = inverse(under);
            int rank = (int) Math.clamp(x + 0.5, 1, count);
            if (rank - x <= surelyAccepted || under >= integral(rank + 0.5) - weight(rank)) {
                return rank - 1;
            }
        }
    }

    private double weight(double x) {
        return Math.exp(-exponent * Math.log(x));
    }

    /** (x^(1 - s) - 1) / (1 - s), or log x for s = 1. */
    private double integral(double x) {
        double log = Math.log(x);
        double power = (1 - exponent) * log;
        return log * (Math.abs(power) > TINY ? Math.expm1(power) / power : 1 + power / 2);
    }

    private double inverse(double y) {
        double power = Math.max(-1, y * (1 - exponent));
        return Math.exp(y * (Math.abs(power) > TINY ? Math.log1p(power) / power : 1 - power / 2));
    }
}
