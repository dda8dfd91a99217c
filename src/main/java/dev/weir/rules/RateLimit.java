package dev.weir.rules;

import dev.weir.limit.Limit;
import java.util.List;

/**
 * What a rule says about the descriptors that land on it: {@code rate_limit} of a rule file.
 *
 * @param limits the limits that hold together; none if {@code isUnlimited}
 * @param isUnlimited whether everything passes uncounted
 * @param name by which other rules replace this one and callers know it; empty if it has none
 * @param replaces names of the rules that do not count in a request in which this one matches
 */
public record RateLimit(List<Limit> limits, boolean isUnlimited, String name, List<String> replaces) {

    public RateLimit {
        limits = List.copyOf(limits);
        replaces = List.copyOf(replaces);
        if (isUnlimited != limits.isEmpty()) {
            throw new IllegalArgumentException("a rule has limits, or it is unlimited");
        }
    }
}
