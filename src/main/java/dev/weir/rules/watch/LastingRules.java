package dev.weir.rules.watch;

import dev.weir.rules.RuleSet;
import org.jspecify.annotations.Nullable;

/** Rules that somebody brought along, and that stay as they are. */
public final class LastingRules implements RulesSource {
    private final RuleSet rules;
    private final String origin;
    private final InForce inForce;

    /**
     * Creates the source.
     *
     * @param origin what the rules come from, for the log
     * @param listener is told when they are in force
     */
    public LastingRules(RuleSet rules, String origin, RulesListener listener) {
        this.rules = rules;
        this.origin = origin;
        this.inForce = new InForce(listener);
    }

    @Override
    public void start() {
        inForce.put(rules, origin);
    }

    @Override
    public @Nullable RuleSet inForce() {
        return inForce.rules();
    }

    @Override
    public boolean hasSpoken() {
        return inForce.hasSpoken();
    }

    @Override
    public void close() {}
}
