package dev.weir;

import dev.weir.admin.Probes;
import dev.weir.loop.EventLoops;
import dev.weir.rules.RuleSet;
import dev.weir.rules.watch.RulesSource;
import dev.weir.settings.Life;
import dev.weir.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Whether requests should come here, and whether they could be answered at all.
 *
 * <p>At first nothing is as fast as it will be, and the store may not be there: the service warms up once it was reached.
 * Later its loss changes nothing unless the operator asks for that: an ejected replica could not even say that it cannot decide, which
 * its callers' failure policy is for, and a restarted one would find the store no better.
 */
final class Health implements Probes {
    /** Below the five seconds that the chart's probe waits; a busy machine is no reason to be started anew. */
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    private final Life.Health needs;
    private final Store store;
    private final RulesSource rules;
    private final BooleanSupplier isOverlayInForce;
    private final EventLoops loops;
    private volatile boolean isWarm;
    private volatile boolean isDraining;

    /**
     * Creates the health of a service that is not warm yet.
     *
     * @param isOverlayInForce whether the rules that stand in place of those of files are in force
     */
    Health(Life.Health needs, Store store, RulesSource rules, BooleanSupplier isOverlayInForce, EventLoops loops) {
        this.needs = needs;
        this.store = store;
        this.rules = rules;
        this.isOverlayInForce = isOverlayInForce;
        this.loops = loops;
    }

    boolean isHealthy() {
        return obstacles(false).isEmpty();
    }

    @Override
    public List<String> obstacles(boolean needsStore) {
        var found = new ArrayList<String>(0);
        if (isDraining) {
            found.add("the service ends");
        }
        if (!store.firstReached().toCompletableFuture().isDone()) {
            found.add("the store was not reached yet");
        } else if ((needsStore || needs.needsConnection()) && !store.isReachable()) {
            found.add("the store does not answer");
        } else if (!isOverlayInForce.getAsBoolean()) {
            found.add("the rules that are kept in the store are not in force yet (RULES_IN_STORE)");
        } else if (!isWarm) {
            found.add("the service warms up (WARM_UP)");
        }
        if (needs.needsWord() && !rules.hasSpoken()) {
            found.add(
                    "the control plane has sent no rules yet (FORCE_START_WITHOUT_INITIAL_CONFIG=true does not wait)");
        }
        if (needs.needsRules() && !hasRules()) {
            found.add("no rules of a domain are in force (HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED asks for some)");
        }
        return found;
    }

    @Override
    public List<String> stuck() {
        int silent = loops.silent(PATIENCE);
        return silent == 0
                ? List.of()
                : List.of("%d of %d threads that answer requests have stood still for %d s"
                        .formatted(silent, loops.count(), PATIENCE.toSeconds()));
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
