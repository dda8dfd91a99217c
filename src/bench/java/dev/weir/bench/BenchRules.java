package dev.weir.bench;

/** The rules that a measured service must have: a domain that never refuses and one that nearly always does. */
final class BenchRules {
    private static final String WIDE_DOMAIN = "bench";
    private static final String NARROW_DOMAIN = "bench_over";
    private static final long WIDE = 4_000_000_000L;
    private static final long NARROW = 1;

    private BenchRules() {}

    /** Returns the domain that a load asks for. */
    static String domain(Load load) {
        return load.isOverLimit() ? NARROW_DOMAIN : WIDE_DOMAIN;
    }

    /** Returns the rules of that domain as a file. */
    static String text(Load load) {
        long hits = load.isOverLimit() ? NARROW : WIDE;
        return """
                domain: %s
                descriptors:
                  - key: user
                    rate_limit: {unit: hour, requests_per_unit: %d}
                    descriptors:
                      - key: path
                        value: /api
                        rate_limit: {unit: hour, requests_per_unit: %d}
                """.formatted(domain(load), hits, hits);
    }
}
