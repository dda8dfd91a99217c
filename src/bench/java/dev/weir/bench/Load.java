package dev.weir.bench;

import java.time.Duration;

/**
 * What is asked of a service, and how fast.
 *
 * @param connections HTTP/2 connections
 * @param streams requests that each of them keeps under way in a closed loop
 * @param rate requests a second over all connections in an open loop; 0 is a closed loop
 * @param deadline that callers send along as {@code grpc-timeout}, and after which an answer is late; zero is none
 * @param users different counters; 1 is a hot key
 * @param descriptors of a request, 1 or 2
 * @param isOverLimit whether the limit is 1 hit an hour and not 4,000,000,000
 */
record Load(
        int connections, int streams, int rate, Duration deadline, int users, int descriptors, boolean isOverLimit) {

    private static final long NANOS_PER_MILLI = 1_000_000;

    Load {
        atLeastOne("connections", connections);
        atLeastOne("streams", streams);
        atLeastOne("users", users);
        if (rate < 0) {
            throw new IllegalArgumentException("a rate cannot be " + rate);
        }
        if (descriptors < 1 || descriptors > 2) {
            throw new IllegalArgumentException("descriptors are 1 or 2, not " + descriptors);
        }
        if (deadline.isNegative() || deadline.toNanos() % NANOS_PER_MILLI != 0) {
            throw new IllegalArgumentException("a deadline is sent in whole milliseconds");
        }
    }

    /** Returns a closed loop over 4 connections with 16 streams each. */
    static Load closed(int users) {
        return new Load(4, 16, 0, Duration.ZERO, users, 1, false);
    }

    /** Returns an open loop over 4 connections with 20 ms for each answer, as Envoy gives by default. */
    static Load open(int rate, int users) {
        return new Load(4, 16, rate, Duration.ofMillis(20), users, 1, false);
    }

    /** Returns the same load against a limit that is used up. */
    Load overLimit() {
        return new Load(connections, streams, rate, deadline, users, descriptors, true);
    }

    private static void atLeastOne(String what, int number) {
        if (number < 1) {
            throw new IllegalArgumentException(what + " must be at least 1, not " + number);
        }
    }
}
