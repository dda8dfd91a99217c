package dev.weir.rules;

import dev.weir.limit.Limit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A rule in its place: the limits on descriptors that land on one node of a domain's tree.
 *
 * <p>Compared by identity: two rules with equal words in two places are two rules.
 */
public final class Rule {
    private final String path;
    private final RateLimit rateLimit;
    private final RuleNode.Flags flags;
    private final Map<String, Object> metadata;
    private final @Nullable String[] sharedPatterns;

    Rule(
            String path,
            RateLimit rateLimit,
            RuleNode.Flags flags,
            Map<String, Object> metadata,
            @Nullable String[] sharedPatterns) {
        this.path = path;
        this.rateLimit = rateLimit;
        this.flags = flags;
        this.metadata = metadata;
        this.sharedPatterns = sharedPatterns;
    }

    /** Returns the domain and the nodes down to the rule, as in {@code shop.path_/api.user}. */
    public String path() {
        return path;
    }

    /** Returns the limits that hold together; none if the rule is unlimited. */
    public List<Limit> limits() {
        return rateLimit.limits();
    }

    /** Returns whether everything passes uncounted. */
    public boolean isUnlimited() {
        return rateLimit.isUnlimited();
    }

    /** Returns the name, or an empty text. */
    public String name() {
        return rateLimit.name();
    }

    /** Returns the names of the rules that do not count where this one matches. */
    public List<String> replaces() {
        return rateLimit.replaces();
    }

    /** Returns the switches of the rule's node. */
    public RuleNode.Flags flags() {
        return flags;
    }

    /** Returns the metadata for callers that pass; empty if there is none. */
    public Map<String, Object> metadata() {
        return metadata;
    }

    /**
     * Returns the pattern whose values share one counter at this level of the descriptor, or null where each value has
     * its own. A value that is the pattern's very text matched exactly, not as a pattern, and shares nothing.
     *
     * @param level the entry's index, below the number of entries that led here
     */
    public @Nullable String sharedPattern(int level, String value) {
        String pattern = sharedPatterns[level];
        return pattern == null || pattern.equals(value) ? null : pattern;
    }
}
