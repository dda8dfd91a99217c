package dev.weir.decide;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.Rule;
import org.jspecify.annotations.Nullable;

/**
 * The limit that a caller sends along for one descriptor.
 *
 * <p>It stands in for the rules: no flags, no name, no shared pattern, no lock. Of the rule that would have matched it takes
 * only how hits are counted, by the first limit if there are several, with the burst in the same ratio.
 */
final class OverrideLimit {
    private OverrideLimit() {}

    /**
     * Returns the limit.
     *
     * @param rule that would have matched, or null
     * @param fixedWindowCharge when hits in fixed windows count
     */
    static NamedLimit of(Quota quota, @Nullable Rule rule, Charge fixedWindowCharge) {
        if (rule != null && !rule.isUnlimited()) {
            Limit model = rule.limits().getFirst().limit();
            Algorithm algorithm = model.algorithm().scaled(model.quota(), quota);
            if (!(algorithm instanceof Algorithm.FixedWindow)) {
                return new NamedLimit(Limit.of(quota, algorithm), "");
            }
        }
        return new NamedLimit(new Limit(quota, new Algorithm.FixedWindow(), fixedWindowCharge, 0), "");
    }
}
