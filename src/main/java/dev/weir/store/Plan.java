package dev.weir.store;

import java.util.List;

/**
 * The checks of one request, decided together.
 *
 * @param checks at least one, in the order of the request's descriptors
 */
public record Plan(List<Check> checks) {

    public Plan {
        if (checks.isEmpty()) {
            throw new IllegalArgumentException("a plan needs a check");
        }
    }
}
