package dev.weir.metrics;

/** Every meter's name, once; {@code docs/metrics.md} explains them and a test compares the two. */
final class MeterNames {
    /** Gauge by {@code version} and {@code java}, always 1: what runs. */
    static final String BUILD = "weir.build.info";
    /** Counter by {@link #OUTCOME}: requests answered. */
    static final String REQUESTS = "weir.requests";
    /** Counter by {@link #POLICY}: descriptors that were answered without asking their limits. */
    static final String WITHOUT_STORE = "weir.descriptors.without.store";
    /** Counter by {@link #REASON}: descriptors that no limit holds for. */
    static final String UNMATCHED = "weir.descriptors.unmatched";
    /** Counter by {@link #REASON}: calls that were refused before anybody looked at their message. */
    static final String CALLS_REFUSED = "weir.calls.refused";
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
    /** Counter: how often too many answers of the store came too late for some time. */
    static final String STORE_OVERRUNS = "weir.store.overruns";
    /** Counter: requests of which hits should have been given back and stay counted. */
    static final String CHARGES_KEPT = "weir.store.charges.kept";
    /** Counter by {@link #OUTCOME}: loads of rules. */
    static final String RULE_LOADS = "weir.rules.loads";
    /** Gauge: the number of the rule set in force. */
    static final String RULES_VERSION = "weir.rules.version";
    /** Gauge: domains of the rule set in force. */
    static final String RULES_DOMAINS = "weir.rules.domains";
    /** Gauge: rules of the rule set in force. */
    static final String RULES_SIZE = "weir.rules.size";
    /** Gauge: whether the rules that were offered last were refused, 1 or 0. */
    static final String RULES_REFUSED = "weir.rules.refused";
    /** Gauge, where rules come from a control plane: whether there is a stream on which it has spoken, 1 or 0. */
    static final String CONTROL_PLANE_CONNECTED = "weir.controlplane.connected";
    /** Gauge: whether the store can be reached, 1 or 0. */
    static final String STORE_REACHABLE = "weir.store.reachable";
    /** Gauge: replicas that share the store, where a rule wants to know. */
    static final String REPLICAS = "weir.replicas";
    /** Gauge by {@code node}: bytes that a Redis uses. */
    static final String REDIS_MEMORY_USED = "weir.redis.memory.used";
    /** Gauge by {@code node}: bytes that a Redis may use, 0 for no bound. */
    static final String REDIS_MEMORY_MAX = "weir.redis.memory.max";
    /** Gauge by {@code node}: whether a Redis evicts keys when it may use no more, 1 or 0. */
    static final String REDIS_MEMORY_EVICTS = "weir.redis.memory.evicts";
    /** Counter by {@code node}: keys that a Redis evicted while it was looked at. */
    static final String REDIS_EVICTED_KEYS = "weir.redis.evicted.keys";
    /** Histogram: how long the store takes for a batch. */
    static final String STORE_LATENCY = "weir.store.latency";
    /** Histogram: how many checks a batch answers. */
    static final String BATCH_SIZE = "weir.store.batch.size";
    /** Gauge: series that callers have made by their values. */
    static final String SERIES_MADE = "weir.series.made";
    /** Counter: how often hits went to the series of all others because there are too many. */
    static final String SERIES_FOLDED = "weir.series.folded";
    /** Counters of hits of one of several limits of a rule, by its name. */
    static final String LIMIT_HITS = "weir.limit.hits";

    /** Gauge: connections of callers over gRPC. */
    static final String CONNECTIONS = "weir.connections";
    /** Counter: connections that were closed at once because there are too many. */
    static final String CONNECTIONS_REFUSED = "weir.connections.refused";
    /** Counter: connections whose callers had not greeted yet, and that were closed for another one. */
    static final String CONNECTIONS_SENT_AWAY = "weir.connections.sent.away";

    /** Counter by {@link #REASON}: callers that got no connection because of TLS. */
    static final String TLS_FAILURES = "weir.tls.failures";
    /** Gauge by {@link #CERTIFICATE}: when one expires, in seconds since 1970. */
    static final String TLS_EXPIRY = "weir.tls.expiry";

    /** The tag that tells what holds when the store fails. */
    static final String POLICY = "policy";
    /** The tag that tells why. */
    static final String REASON = "reason";
    /** The tag that tells which certificate. */
    static final String CERTIFICATE = "certificate";
    /** The tag that tells how something ended. */
    static final String OUTCOME = "outcome";

    private MeterNames() {}
}
