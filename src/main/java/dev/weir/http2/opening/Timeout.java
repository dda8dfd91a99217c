package dev.weir.http2.opening;

import dev.weir.call.Outcome;
import dev.weir.call.Refusal;
import java.util.concurrent.TimeUnit;

/** Reads {@code grpc-timeout}: at most eight digits and a unit. */
final class Timeout {
    private static final int MAX_DIGITS = 8;

    /** Who would wait for longer waits as well for a year; nothing is added to it that would not fit. */
    private static final long LONGEST_NANOS = TimeUnit.DAYS.toNanos(365);

    private Timeout() {}

    /**
     * Returns the nanoseconds of a timeout, a year at most.
     *
     * @throws RefusedException if it is none
     */
    static long nanos(CharSequence text) throws RefusedException {
        int digits = text.length() - 1;
        if (digits < 1 || digits > MAX_DIGITS) {
            throw malformed(text);
        }
        long number = 0;
        for (int i = 0; i < digits; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                throw malformed(text);
            }
            number = 10 * number + digit;
        }
        long nanos = switch (text.charAt(digits)) {
            case 'n' -> number;
            case 'u' -> TimeUnit.MICROSECONDS.toNanos(number);
            case 'm' -> TimeUnit.MILLISECONDS.toNanos(number);
            case 'S' -> TimeUnit.SECONDS.toNanos(number);
            case 'M' -> TimeUnit.MINUTES.toNanos(number);
            case 'H' -> TimeUnit.HOURS.toNanos(number);
            default -> throw malformed(text);
        };
        return Math.min(nanos, LONGEST_NANOS);
    }

    private static RefusedException malformed(CharSequence text) {
        return RefusedException.call(Refusal.TIMEOUT, Outcome.INTERNAL, "grpc-timeout is malformed: " + text);
    }
}
