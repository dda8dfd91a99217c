package dev.weir.metrics;

/** What is counted of the hits under one name, in the words of the Go service. */
enum Stat {
    /** Hits that were asked for, whatever became of them. */
    TOTAL_HITS(0, "total_hits"),
    /** Hits beyond the limit. */
    OVER_LIMIT(1, "over_limit"),
    /** Hits within the limit, but beyond the share of it that counts as near. */
    NEAR_LIMIT(2, "near_limit"),
    /** Hits of checks that were admitted. */
    WITHIN_LIMIT(3, "within_limit"),
    /** Hits beyond the limit of a rule that refuses nothing. */
    SHADOW_MODE(4, "shadow_mode"),
    /** Hits that were refused from memory, without asking the store. */
    OVER_LIMIT_WITH_LOCAL_CACHE(5, "over_limit_with_local_cache"),
    /** Hits that were given back. */
    TOTAL_NEGATIVE_HITS(6, "total_negative_hits");

    private final int place;
    private final String word;

    Stat(int place, String word) {
        this.place = place;
        this.word = word;
    }

    /** Returns its place among the counts of a name. */
    int place() {
        return place;
    }

    String word() {
        return word;
    }
}
