package dev.weir.rules;

import dev.weir.limit.FailurePolicy;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One node of the tree that an operator writes under {@code descriptors}: what {@link RuleSet} is compiled from.
 *
 * @param key the entry's key, never empty
 * @param value the entry's value, a pattern if it holds a {@code *}, or empty for every value
 * @param rateLimit the rule for descriptors that end here, or null
 * @param flags what else the operator switched on
 * @param metadata handed to callers as dynamic metadata when the rule lets them pass
 * @param children the nodes below, in file order
 */
public record RuleNode(
        String key,
        String value,
        @Nullable RateLimit rateLimit,
        Flags flags,
        Map<String, Object> metadata,
        List<RuleNode> children) {

    public RuleNode {
        flags = flags.shared();
        children = List.copyOf(children);
        if (key.isEmpty()) {
            throw new IllegalArgumentException("a node's key must not be empty");
        }
    }

    /**
     * What a node says of its rule beside the limits: switches, all off by default, and a policy.
     *
     * @param shadowMode the rule counts and reports but refuses nothing
     * @param quotaMode the rule refuses only where all quota rules of a request are over
     * @param detailedMetric the rule's metrics are named by the values of the request
     * @param valueToMetric this level's value goes into the metric's name
     * @param shareThreshold all values that match this node's pattern share one counter
     * @param onStoreFailure what is answered where the store cannot be asked; null if the domain says it
     */
    public record Flags(
            boolean shadowMode,
            boolean quotaMode,
            boolean detailedMetric,
            boolean valueToMetric,
            boolean shareThreshold,
            @Nullable FailurePolicy onStoreFailure) {
        /** Nothing is switched on. */
        public static final Flags NONE = new Flags(false, false, false, false, false, null);

        /** Returns {@link #NONE} if that says the same: most rules can share it. */
        private Flags shared() {
            return equals(NONE) ? NONE : this;
        }
    }
}
