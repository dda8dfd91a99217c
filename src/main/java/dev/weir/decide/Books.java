package dev.weir.decide;

import dev.weir.request.Descriptor;
import dev.weir.request.Request;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.Rule;
import dev.weir.rules.RuleSet;
import dev.weir.store.Reading;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells what became of hits to whoever counts them under the rule on which their descriptors landed.
 *
 * <p>The counters of a rule lie beside it, at its number, so that a request costs an index and no look-up. They are asked for
 * when the first descriptor lands on the rule: of many rules, most may never see one.
 */
final class Books {
    private final RuleSet rules;
    private final HitListener listener;
    private final Tally overrides;

    // Two threads may both fill a place; either tally counts into the same numbers.
    private final @Nullable Tally[] byRule;

    /**
     * Opens the books of these rules.
     *
     * @param former those of the rules before, or null; the counters of a rule that stayed are taken from them
     */
    Books(RuleSet rules, HitListener listener, @Nullable Books former) {
        this.rules = rules;
        this.listener = listener;
        this.overrides = listener.ofOverrides();
        this.byRule = new @Nullable Tally[rules.rules().size()];
        if (former != null) {
            take(former);
        }
    }

    /** Ten thousand counters that were asked for anew would be asked for within the next second. */
    private void take(Books former) {
        List<Rule> now = rules.rules();
        List<Rule> before = former.rules.rules();
        for (int i = 0; i < Math.min(now.size(), before.size()); i++) {
            if (now.get(i).equals(before.get(i))) {
                byRule[i] = former.byRule[i];
            }
        }
    }

    RuleSet rules() {
        return rules;
    }

    /**
     * Tells of every descriptor that was held against limits.
     *
     * @param readings one for each check of the plan
     */
    void decided(Matched matched, List<Reading> readings) {
        int size = matched.request().descriptors().size();
        int reading = 0;
        for (int i = 0; i < size; i++) { // indexed: an iterator for each request would be garbage
            List<NamedLimit> limits = matched.limits(i);
            if (!limits.isEmpty()) {
                decided(matched, i, limits, readings, reading);
                reading += limits.size();
            }
        }
    }

    /**
     * Tells of one descriptor that was held against limits.
     *
     * @param limits what it was held against
     * @param first where their readings begin
     */
    void decided(Matched matched, int position, List<NamedLimit> limits, List<Reading> readings, int first) {
        Request request = matched.request();
        Descriptor descriptor = request.descriptors().get(position);
        Rule rule = matched.rule(position);
        Tally tally = tally(rule);
        int shown = Judge.shown(limits, readings, first);
        tally.decided(request, descriptor, limits.get(shown).limit(), readings.get(first + shown));
        if (hasNamed(rule)) {
            tellNamed(tally, request, descriptor, limits, readings.subList(first, readings.size()));
        }
    }

    /** All but one of them may have been replaced. */
    private static boolean hasNamed(@Nullable Rule rule) {
        return rule != null && rule.limits().size() > 1;
    }

    private static void tellNamed(
            Tally tally, Request request, Descriptor descriptor, List<NamedLimit> limits, List<Reading> readings) {
        for (int i = 0; i < limits.size(); i++) {
            if (!limits.get(i).name().isEmpty()) {
                tally.decidedByName(request, descriptor, limits.get(i), readings.get(i));
            }
        }
    }

    /** Tells of every descriptor whose hits may or may not be counted in the store. */
    void undecided(Matched matched) {
        for (int i = 0; i < matched.request().descriptors().size(); i++) {
            if (!matched.limits(i).isEmpty()) {
                undecided(matched, i);
            }
        }
    }

    /** Tells of one descriptor whose hits may or may not be counted in the store, under one limit at least. */
    void undecided(Matched matched, int position) {
        Request request = matched.request();
        tally(matched.rule(position)).undecided(request, request.descriptors().get(position), matched.limits(position));
    }

    /** Tells of the limits on one descriptor that did not say anything, where others did. */
    void undecidedBut(Matched matched, int position, List<NamedLimit> said) {
        List<NamedLimit> limits = matched.limits(position);
        if (said.size() == limits.size()) {
            return;
        }
        Request request = matched.request();
        for (NamedLimit limit : limits) {
            if (!limit.name().isEmpty() && !said.contains(limit)) {
                tally(matched.rule(position))
                        .undecidedByName(request, request.descriptors().get(position), limit);
            }
        }
    }

    /** Tells of descriptors that nothing holds for: no rule, no unlimited one, no limit of their caller. */
    void unmatched(Matched matched) {
        if (matched.unmatched() == 0) {
            return;
        }
        if (matched.hasDomain()) {
            listener.ruleNotFound(matched.unmatched());
        } else {
            listener.domainNotFound(matched.request().domain(), matched.unmatched());
        }
    }

    private Tally tally(@Nullable Rule rule) {
        if (rule == null) {
            return overrides;
        }
        Tally tally = byRule[rule.number()];
        if (tally == null) {
            tally = listener.of(rule);
            byRule[rule.number()] = tally;
        }
        return tally;
    }
}
