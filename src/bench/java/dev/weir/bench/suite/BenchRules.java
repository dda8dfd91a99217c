package dev.weir.bench.suite;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rule files for the services that are measured. */
final class BenchRules {
    /** The domain of all of them. */
    static final String DOMAIN = "bench";

    private static final long WIDE = 4_000_000_000L;
    private static final long NARROW = 1;

    private BenchRules() {}

    /** Returns a limit that nobody reaches, on a user and on a user's path. */
    static String wide() {
        return users(WIDE);
    }

    /** Returns the same with limits that are used up by the first hit of an hour. */
    static String narrow() {
        return users(NARROW);
    }

    private static String users(long hits) {
        return """
                domain: %s
                descriptors:
                  - key: user
                    rate_limit: {unit: hour, requests_per_unit: %d}
                    descriptors:
                      - key: path
                        value: /api
                        rate_limit: {unit: hour, requests_per_unit: %d}
                """.formatted(DOMAIN, hits, hits);
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
