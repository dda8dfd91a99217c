package dev.weir.rules.xds;

import dev.weir.limit.Charge;
import dev.weir.rules.Checks;
import dev.weir.rules.FormerLevel;
import dev.weir.rules.RateLimit;
import dev.weir.rules.RuleNode;
import dev.weir.rules.Siblings;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitDescriptor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code descriptors}, level by level; how deep they may lie, the decoding of messages has decided before. */
final class DescriptorReader {
    private static final String FIELD = "descriptors";

    private final PolicyReader policies;

    /**
     * Prepares the reading of descriptors.
     *
     * @param fixedWindowCharge when hits are counted: the message cannot say
     */
    DescriptorReader(Charge fixedWindowCharge) {
        this.policies = new PolicyReader(fixedWindowCharge);
    }

    /**
     * Returns the nodes of a list; the mistakes are reported.
     *
     * @param siblings those that stand before them on the same level
     * @param former the same level of the rules in force
     */
    List<RuleNode> read(List<RateLimitDescriptor> descriptors, Siblings siblings, FormerLevel former, Report above) {
        List<RuleNode> nodes = new ArrayList<>(descriptors.size());
        for (int i = 0; i < descriptors.size(); i++) {
            var report = above.in(FIELD, i);
            var node = node(descriptors.get(i), former, report);
            String clash = node == null ? null : siblings.add(node, report.place());
            if (clash != null) {
                report.mistake("key", clash);
            } else if (node != null) {
                nodes.add(node);
            }
        }
        return nodes;
    }

    /** Reads one descriptor; null if it has no key. */
    private @Nullable RuleNode node(RateLimitDescriptor descriptor, FormerLevel former, Report report) {
        // A `*` is text here: Envoy Gateway makes keys of the names of routes, which have one where a host is a
        // pattern.
        boolean hasKey = !descriptor.getKey().isEmpty();
        if (!hasKey) {
            report.mistake("key", Checks.NO_KEY);
        }
        RateLimit limit =
                descriptor.hasRateLimit() ? policies.read(descriptor.getRateLimit(), report.in("rate_limit")) : null;
        var below = former.below(descriptor.getKey(), descriptor.getValue());
        var children = read(descriptor.getDescriptorsList(), new Siblings(), below, report);
        if (!hasKey) {
            return null;
        }
        var flags = new RuleNode.Flags(
                descriptor.getShadowMode(),
                descriptor.getQuotaMode(),
                descriptor.getDetailedMetric(),
                false,
                false,
                null);
        var metadata = Metadata.of(descriptor.getMetadata(), report);
        var node = new RuleNode(descriptor.getKey(), descriptor.getValue(), limit, flags, metadata, children);
        return former.same(node);
    }
}
