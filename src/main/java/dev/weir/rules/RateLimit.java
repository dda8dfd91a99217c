package dev.weir.rules;

import dev.weir.limit.Limit;
import java.util.List;

/**
 * What a rule says about the descriptors that land on it: {@code rate_limit} or {@code rate_limits} of a rule file.
 *
 * @param limits the limits that hold together, in file order; none if the rule is unlimited
 * @param replaces names of the limits that do not count in a request in which this rule matches
 */
public record RateLimit(List<NamedLimit> limits, List<String> replaces) {

    public RateLimit {
        limits = List.copyOf(limits);
        replaces = List.copyOf(replaces);
    }

    /** Returns one limit without a name that replaces nothing. */
    public static RateLimit of(Limit limit) {
        return new RateLimit(List.of(new NamedLimit(limit, "")), List.of());
    }

    /** Returns what lets everything pass uncounted. */
    public static RateLimit unlimited(List<String> replaces) {
        return new RateLimit(List.of(), replaces);
    }

    /** Returns whether everything passes uncounted. */
    public boolean isUnlimited() {
        return limits.isEmpty();
    }
}
