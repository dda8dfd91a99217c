package dev.weir.metrics;

/** The calls of gRPC that are counted. */
public enum Rpc {
    /** Whether a request may pass. */
    SHOULD_RATE_LIMIT("ShouldRateLimit"),
    /** Whether the service is well. */
    HEALTH_CHECK("Check");

    private final String word;

    Rpc(String word) {
        this.word = word;
    }

    /** Returns its name on the wire. */
    String word() {
        return word;
    }
}
