package dev.weir.live;

import dev.weir.meter.Spread;
import java.util.List;
import java.util.Map;

/**
 * What a service has counted from its start to one moment, and how it is then.
 *
 * @param requests that were answered, by how they ended, in the order in which they are shown
 * @param answers how long callers of {@code ShouldRateLimit} waited, in nanoseconds
 * @param store how long the store took for batches, in nanoseconds
 * @param checksRemembered checks refused from memory, of which the store was not asked
 * @param storeFailures batches that the store did not answer
 * @param rules hits by the names of rules
 * @param state how it is
 */
public record Figures(
        Map<String, Long> requests,
        Spread answers,
        Spread store,
        long checksRemembered,
        long storeFailures,
        List<OfRule> rules,
        State state) {

    /**
     * The hits under one name.
     *
     * @param name of the rule, or of one of its limits
     * @param hits that were asked for, whatever became of them
     * @param near those within the limit, but near it
     * @param over those beyond the limit
     */
    public record OfRule(String name, long hits, long near, long over) {
        static final OfRule NONE = new OfRule("", 0, 0, 0);

        OfRule since(OfRule before) {
            return new OfRule(name, hits - before.hits, near - before.near, over - before.over);
        }
    }

    /**
     * How a service is.
     *
     * @param isStoreReachable whether the store answers
     * @param connections of callers over gRPC
     * @param replicas that share the store; 0 where nobody wants to know
     * @param rulesVersion the number of the rule set in force; 0 if there is none
     * @param rules of that set
     * @param areRulesRefused whether those that were offered last were wrong, so that older ones are in force
     */
    public record State(
            boolean isStoreReachable,
            int connections,
            int replicas,
            long rulesVersion,
            long rules,
            boolean areRulesRefused) {}
}
