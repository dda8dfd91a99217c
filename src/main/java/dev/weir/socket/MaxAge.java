package dev.weir.socket;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How old a connection may get, so that callers come again and spread over replicas that are new.
 *
 * <p>Each connection gets up to a tenth more or less, as with grpc-go: callers that came together would otherwise leave
 * together, again and again.
 *
 * @param age after which its caller is told to go; zero is never
 * @param grace for calls under way from then on, after which it is broken off; zero is for ever
 */
public record MaxAge(Duration age, Duration grace) {
    /** A connection lives as long as its caller likes. */
    public static final MaxAge NONE = new MaxAge(Duration.ZERO, Duration.ZERO);

    public MaxAge {
        if (age.isNegative() || grace.isNegative()) {
            throw new IllegalArgumentException("an age cannot be negative: " + age + ", " + grace);
        }
    }

    /** Returns whether connections are never told to go. */
    public boolean isUnbounded() {
        return age.isZero();
    }

    /** Returns the age of one connection, in nanoseconds. */
    public long nanos(RandomGenerator dice) {
        long nanos = age.toNanos();
        long most = nanos / 10;
        return nanos + dice.nextLong(-most, most + 1);
    }
}
