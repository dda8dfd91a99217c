package dev.weir.metrics;

/** Every meter's name, once; {@code docs/metrics.md} explains them and a test compares the two. */
final class MeterNames {
    /** Counter by {@link #OUTCOME}: requests answered. */
    static final String REQUESTS = "weir.requests";
    /** Counter: batches sent to the store. */
    static final String BATCHES = "weir.store.batches";
    /** Counter: checks that were asked of the store. */
    static final String CHECKS = "weir.store.checks";
    /** Counter: checks that shared an entry of a batch with an equal one. */
    static final String CHECKS_MERGED = "weir.store.checks.merged";
    /** Counter: checks that were refused from memory, without asking the store. */
    static final String CHECKS_REMEMBERED = "weir.store.checks.remembered";
    /** Counter: batches that the store did not answer. */
    static final String STORE_FAILURES = "weir.store.failures";
    /** Counter: hits of a check that should have been given back and stay counted. */
    static final String CHARGES_KEPT = "weir.store.charges.kept";
    /** Counter by {@link #OUTCOME}: loads of rules. */
    static final String RULE_LOADS = "weir.rules.loads";
    /** Gauge: the number of the rule set in force. */
    static final String RULES_VERSION = "weir.rules.version";

    /** The tag that tells how something ended. */
    static final String OUTCOME = "outcome";

    private MeterNames() {}
}
