package dev.weir.rules.watch;

import dev.weir.rules.Mistake;
import dev.weir.rules.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules in force: any thread may ask for them, one at a time may replace them. */
public final class InForce {
    private static final int MOST_REMARKS = 10;

    private final RulesListener listener;
    private volatile @Nullable RuleSet rules;
    private volatile boolean hasSpoken;
    private long version;

    /**
     * Begins without rules.
     *
     * @param listener is told of each attempt to replace them
     */
    public InForce(RulesListener listener) {
        this.listener = listener;
    }

    /** Returns the rules in force, or null as long as no set of rules was good. */
    public @Nullable RuleSet rules() {
        return rules;
    }

    /** Returns whether rules were put or refused before. */
    public boolean hasSpoken() {
        return hasSpoken;
    }

    /**
     * Puts rules in force.
     *
     * @param origin where they come from, as in {@code 3 files}
     */
    public void put(RuleSet set, String origin) {
        var remarks = remarks(set, rules);
        rules = set;
        hasSpoken = true;
        version++;
        listener.loaded(new RulesListener.Loaded(
                version, origin, set.domainNames().size(), set.rules().size(), remarks));
    }

    private static List<String> remarks(RuleSet set, @Nullable RuleSet before) {
        var told = before == null ? Set.of() : Set.copyOf(before.remarks());
        var untold =
                set.remarks().stream().filter(remark -> !told.contains(remark)).toList();
        List<String> first = new ArrayList<>(
                untold.stream().limit(MOST_REMARKS).map(Mistake::toString).toList());
        if (first.size() < untold.size()) {
            first.add((untold.size() - first.size()) + " more remarks on the rules; `weir check` tells them");
        }
        return first;
    }

    /** Leaves in force what is, for these mistakes, of which there is at least one. */
    public void refuse(List<String> mistakes) {
        hasSpoken = true;
        listener.failed(new RulesListener.Failed(mistakes, version));
    }
}
