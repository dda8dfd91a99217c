package dev.weir.bench.load;

import java.time.Duration;

/**
 * What is asked of a service, and how fast.
 *
 * @param question that is asked
 * @param keys whose numbers go into it, no more than it tells apart
 * @param connections HTTP/2 connections, 1 to 65,535
 * @param pacing when requests are sent
 * @param deadline that callers send along as {@code grpc-timeout}, and after which an answer is late; zero is none
 * @param seed of the keys
 */
public record Load(Question question, Keys keys, int connections, Pacing pacing, Duration deadline, long seed) {
    /** How many requests a closed loop may keep under way on all connections: so many may wait to be sent. */
    public static final int MOST_STREAMS = 1 << 18;

    /** As many as one address can have to another. */
    private static final int MOST_CONNECTIONS = 65_535;

    /** What eight digits of microseconds can say. */
    private static final Duration LONGEST_DEADLINE = Duration.ofSeconds(99);

    private static final long NANOS_PER_MICRO = 1_000;

    /** Checks the numbers. */
    public Load {
        if (connections < 1 || connections > MOST_CONNECTIONS) {
            throw new IllegalArgumentException(
                    "connections must be 1 to %d, not %d".formatted(MOST_CONNECTIONS, connections));
        }
        if (pacing instanceof Pacing.Closed(int streams) && (long) streams * connections > MOST_STREAMS) {
            throw new IllegalArgumentException(
                    "connections x streams are at most %d, not %d x %d".formatted(MOST_STREAMS, connections, streams));
        }
        if (keys.count() > 1 && !question.hasNumber()) {
            throw new IllegalArgumentException(
                    "no value holds the number of the key, so there is only one key to ask for");
        }
        if (keys.count() > question.mostKeys()) {
            throw new IllegalArgumentException("the digits in values tell only %d keys apart, not %d"
                    .formatted(question.mostKeys(), keys.count()));
        }
        boolean isInMicros = deadline.toNanos() % NANOS_PER_MICRO == 0;
        if (deadline.isNegative() || deadline.compareTo(LONGEST_DEADLINE) > 0 || !isInMicros) {
            throw new IllegalArgumentException("a deadline is whole microseconds, up to 99 seconds");
        }
    }

    /** When requests are sent. */
    public sealed interface Pacing {

        /**
         * Each answer brings the next request, so that a slow service is asked less.
         *
         * @param streams requests that each connection keeps under way
         */
        record Closed(int streams) implements Pacing {
            /** Checks the number. */
            public Closed {
                if (streams < 1) {
                    throw new IllegalArgumentException("streams must be at least 1, not " + streams);
                }
            }
        }

        /**
         * Requests are due at even times, whatever became of those before.
         *
         * @param rate requests a second, over all connections
         */
        record Open(int rate) implements Pacing {
            /** Checks the number. */
            public Open {
                if (rate < 1) {
                    throw new IllegalArgumentException("a rate must be at least 1, not " + rate);
                }
            }
        }
    }
}
