package dev.weir.rules;

import dev.weir.request.Entry;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A rule in its place: the limits on descriptors that land on one node of a domain's tree.
 *
 * <p>Compared by identity: two rules with equal words in two places are two rules.
 */
public final class Rule {
    private static final @Nullable String[] NO_PATTERNS = {};

    private final int number;
    private final RateLimit rateLimit;
    private final RuleNode.Flags flags;
    private final Map<String, Object> metadata;
    private final @Nullable String[] sharedPatterns;
    private final String path;
    private final List<Level> levels;

    /** Creates the rule of the node at the end of {@code levels}, which are never empty. */
    Rule(int number, String domain, List<Level> levels, RateLimit rateLimit, Map<String, Object> metadata) {
        this.number = number;
        this.levels = List.copyOf(levels);
        this.path = levels.stream().map(Level::toString).collect(Collectors.joining(".", domain + ".", ""));
        this.rateLimit = rateLimit;
        this.flags = this.levels.getLast().flags();
        this.metadata = metadata;
        this.sharedPatterns = levels.stream().noneMatch(Level::isShared)
                ? NO_PATTERNS
                : levels.stream().map(Level::sharedPattern).toArray(String[]::new);
    }

    /** Returns the rule's place among all rules of its set, from 0: what belongs to rules can lie beside them in an array. */
    public int number() {
        return number;
    }

    /** Returns the domain and the nodes down to the rule, as in {@code shop.path_/api.user}. */
    public String path() {
        return path;
    }

    /** Returns what the nodes down to the rule say, one for each entry of a descriptor that lands here. */
    public List<Level> levels() {
        return levels;
    }

    /** Returns the limits that hold together, in file order; none if the rule is unlimited. */
    public List<NamedLimit> limits() {
        return rateLimit.limits();
    }

    /** Returns whether everything passes uncounted. */
    public boolean isUnlimited() {
        return rateLimit.isUnlimited();
    }

    /** Returns the names of the limits that do not count where this rule matches. */
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
        String pattern = sharedPatterns.length == 0 ? null : sharedPatterns[level];
        return pattern == null || pattern.equals(value) ? null : pattern;
    }

    @Override
    public String toString() {
        return path;
    }

    /**
     * One node on the way to a rule, as the operator wrote it.
     *
     * @param key the entry's key
     * @param value the entry's value, a pattern if it holds a {@code *}, or empty for every value
     * @param flags the node's switches
     */
    public record Level(String key, String value, RuleNode.Flags flags) {

        /** Returns whether the value is a pattern: {@code *} stands for any characters, none included. */
        public boolean isPattern() {
            return value.indexOf('*') >= 0;
        }

        /** Returns whether this is a bare key, for every value. */
        public boolean isBare() {
            return value.isEmpty();
        }

        /** Returns whether the entry can land here, as long as no sibling goes first. */
        public boolean fits(Entry entry) {
            return key.equals(entry.key()) && fits(entry.value());
        }

        /** Returns whether an entry of this very key and {@code asked} can land here, as long as no sibling goes first. */
        public boolean fits(String asked) {
            return isBare() || value.equals(asked) || (isPattern() && Pattern.fits(value, asked));
        }

        /** Returns whether entries of many values can land here. */
        public boolean takesMany() {
            return isBare() || isPattern();
        }

        /** Returns whether all values that match the pattern share one counter. */
        public boolean isShared() {
            return flags.shareThreshold() && isPattern();
        }

        private @Nullable String sharedPattern() {
            return isShared() ? value : null;
        }

        @Override
        public String toString() {
            return value.isEmpty() ? key : key + "_" + value;
        }
    }
}
