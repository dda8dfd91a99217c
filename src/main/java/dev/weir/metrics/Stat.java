package dev.weir.metrics;

/** What is counted of the hits under one name, in the words of the Go service. */
enum Stat {
    /** Hits that were asked for, whatever became of them. */
    TOTAL_HITS("total_hits"),
    /** Hits beyond the limit. */
    OVER_LIMIT("over_limit"),
    /** Hits within the limit, but beyond the share of it that counts as near. */
    NEAR_LIMIT("near_limit"),
    /** Hits of checks that were admitted. */
    WITHIN_LIMIT("within_limit"),
    /** Hits beyond the limit of a rule that refuses nothing. */
    SHADOW_MODE("shadow_mode"),
    /** Hits that were refused from memory, without asking the store. */
    OVER_LIMIT_WITH_LOCAL_CACHE("over_limit_with_local_cache"),
    /** Hits that were given back. */
    TOTAL_NEGATIVE_HITS("total_negative_hits");

    private final String word;

    Stat(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }
}
