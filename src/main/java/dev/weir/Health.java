package dev.weir;

import dev.weir.rules.RuleSet;
import dev.weir.rules.watch.RulesSource;
import dev.weir.settings.Life;
import dev.weir.store.Store;

/**
 * Whether requests should come here.
 *
 * <p>At first nothing is as fast as it will be, and the store may not be there: the service warms up once it was reached.
 * Later its loss changes nothing unless the operator asks for that: an ejected replica could not answer by its rules' own
 * failure policy, and a restarted one would find the store no better.
 */
final class Health {
    private final Life.Health needs;
    private final Store store;
    private final RulesSource rules;
    private volatile boolean isWarm;
    private volatile boolean isDraining;

    Health(Life.Health needs, Store store, RulesSource rules) {
        this.needs = needs;
        this.store = store;
        this.rules = rules;
    }

    boolean isHealthy() {
        return isWarm
                && !isDraining
                && (!needs.needsConnection() || store.isReachable())
                && (!needs.needsWord() || rules.hasSpoken())
                && (!needs.needsRules() || hasRules());
    }

    /** The store was reached, and from now on the service is as fast as it will be. */
    void warmedUp() {
        isWarm = true;
    }

    /** From now on requests should go elsewhere. */
    void drain() {
        isDraining = true;
    }

    private boolean hasRules() {
        RuleSet inForce = rules.inForce();
        return inForce != null && !inForce.domainNames().isEmpty();
    }
}
