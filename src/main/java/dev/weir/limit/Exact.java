package dev.weir.limit;

/**
 * Products and quotients that lose nothing: the arithmetic that Java and Lua share, for Lua counts in doubles, which are
 * whole only up to 2^53.
 *
 * <p>{@code a * b / c} is taken digit by digit where {@code a * b} is too large, as in long division by hand. Results above
 * {@link #MAX} are {@link #MAX} with nothing over, here as in exact.lua.
 */
final class Exact {
    /** The largest whole number that the script can count with: 2^53-1. */
    static final long MAX = (1L << 53) - 1;

    // With c below 2^49 the remainder, a digit more, stays below 2^63.
    private static final int DIGIT_BITS = 13;
    private static final long DIGIT = (1L << DIGIT_BITS) - 1;

    private Exact() {}

    /**
     * A quotient with what is over.
     *
     * @param whole the quotient, rounded down
     * @param over the remainder
     */
    record Share(long whole, long over) {
        /** Returns the quotient, rounded up. */
        long wholeUp() {
            return over == 0 ? whole : whole + 1;
        }
    }

    /** Returns {@code a * b / c} with its remainder, for 0 to {@link #MAX}, and {@code c} of 1 to 2^49. */
    static Share share(long a, long b, long c) {
        long low = a * b;
        if (Math.multiplyHigh(a, b) == 0 && low >= 0) {
            long whole = low / c;
            return whole > MAX ? new Share(MAX, 0) : new Share(whole, low - whole * c);
        }
        long times = a / c;
        long rest = a - times * c;
        if (Math.multiplyHigh(times, b) != 0 || times * b < 0 || times * b > MAX) {
            return new Share(MAX, 0);
        }
        long whole = 0;
        long over = 0;
        for (int shift = 4 * DIGIT_BITS; shift >= 0; shift -= DIGIT_BITS) {
            over = (over << DIGIT_BITS) + rest * (b >>> shift & DIGIT);
            whole = (whole << DIGIT_BITS) + over / c;
            over %= c;
        }
        whole += times * b;
        return whole > MAX ? new Share(MAX, 0) : new Share(whole, over);
    }

    /** Returns {@code a * b / c}, rounded down. */
    static long quotient(long a, long b, long c) {
        return share(a, b, c).whole();
    }

    /** Returns {@code a * b / c}, rounded up. */
    static long quotientUp(long a, long b, long c) {
        return share(a, b, c).wholeUp();
    }
}
