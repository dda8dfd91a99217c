package dev.weir.bench.suite;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Rule files for the services that are measured. */
final class BenchRules {
    /** The domain of all of them. */
    static final String DOMAIN = "bench";

    private static final long WIDE = 4_000_000_000L;
    private static final long NARROW = 1;
    private static final long PLENTY = 1_000_000;

    private BenchRules() {}

    /** Returns a limit that nobody reaches, on a user and on a user's path. */
    static String wide() {
        return users(WIDE);
    }

    /** Returns the same with limits that are used up by the first hit of an hour. */
    static String narrow() {
        return users(NARROW);
    }

    /** Returns eight limits on a user and as many on a user's path, which nobody reaches and which go by the script. */
    static String eight() {
        String limits = Stream.of("second", "minute", "hour", "day", "week", "month", "year")
                .map(unit -> "{unit: %s, requests_per_unit: %d, charge: on_admit}, ".formatted(unit, PLENTY))
                .collect(Collectors.joining(
                        "", "[", "{unit: hour, requests_per_unit: %d, algorithm: gcra}]".formatted(PLENTY)));
        return users("rate_limits: " + limits);
    }

    private static String users(long hits) {
        return users("rate_limit: {unit: hour, requests_per_unit: %d}".formatted(hits));
    }

    private static String users(String limit) {
        return """
                domain: %s
                descriptors:
                  - key: user
                    %s
                    descriptors:
                      - key: path
                        value: /api
                        %s
                """.formatted(DOMAIN, limit, limit);
    }

    /**
     * Returns a rule for the users of each path.
     *
     * @param digits of the number of a path: 1 makes ten paths, /p0 to /p9
     */
    static String paths(int digits) {
        return paths(digits, -1);
    }

    /**
     * Returns the same with other limits for a hundredth of the paths.
     *
     * @param changed the last two digits of their numbers, or -1 for none
     */
    static String paths(int digits, int changed) {
        return IntStream.range(0, (int) Math.pow(10, digits))
                .mapToObj(path ->
                        """
                          - key: path
                            value: /p%s
                            descriptors: [{key: user, rate_limit: {unit: hour, requests_per_unit: %d}}]
                        """.formatted(("%0" + digits + "d").formatted(path), path % 100 == changed ? WIDE - 1 : WIDE))
                .collect(Collectors.joining("", "domain: " + DOMAIN + "\ndescriptors:\n", ""));
    }
}
