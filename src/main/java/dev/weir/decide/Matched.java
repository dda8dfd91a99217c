package dev.weir.decide;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.request.Descriptor;
import dev.weir.request.Request;
import dev.weir.rules.Rule;
import dev.weir.rules.RuleSet;
import dev.weir.rules.Tree;
import dev.weir.store.Check;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the rules say to each descriptor of one request: a rule, a limit that the caller sent along, or nothing. */
final class Matched {
    private final Request request;
    private final @Nullable Rule[] rules;
    private final @Nullable Limit[] limits;

    private Matched(Request request, @Nullable Rule[] rules, @Nullable Limit[] limits) {
        this.request = request;
        this.rules = rules;
        this.limits = limits;
    }

    /** Finds the rule of each descriptor, and drops those that another one replaces. */
    static Matched in(RuleSet inForce, Request request) {
        int size = request.descriptors().size();
        var rules = new @Nullable Rule[size];
        var limits = new @Nullable Limit[size];
        Tree tree = inForce.domain(request.domain());
        if (tree != null) {
            boolean replaces = false;
            for (int i = 0; i < size; i++) {
                Descriptor descriptor = request.descriptors().get(i);
                Quota override = descriptor.override();
                if (override != null) {
                    limits[i] = Limit.fixedWindow(override);
                    continue;
                }
                Rule rule = tree.match(descriptor);
                rules[i] = rule;
                if (rule != null && !rule.isUnlimited()) {
                    limits[i] = rule.limits().getFirst().limit();
                }
                replaces |= rule != null && !rule.replaces().isEmpty();
            }
            if (replaces) {
                dropReplaced(rules, limits);
            }
        }
        return new Matched(request, rules, limits);
    }

    /** Names are collected from all rules first: a replaced rule still replaces others. Unlimited rules stay. */
    private static void dropReplaced(@Nullable Rule[] rules, @Nullable Limit[] limits) {
        Set<String> replaced = new HashSet<>();
        for (Rule rule : rules) {
            if (rule != null) {
                replaced.addAll(rule.replaces());
            }
        }
        for (int i = 0; i < rules.length; i++) {
            Rule rule = rules[i];
            if (rule != null
                    && !rule.isUnlimited()
                    && replaced.contains(rule.limits().getFirst().name())) {
                rules[i] = null;
                limits[i] = null;
            }
        }
    }

    Request request() {
        return request;
    }

    /** Returns the rule that counts for the descriptor, or null if none does or the caller sent a limit along. */
    @Nullable
    Rule rule(int descriptor) {
        return rules[descriptor];
    }

    /** Returns the limit that the descriptor is held against, or null if none. */
    @Nullable
    Limit limit(int descriptor) {
        return limits[descriptor];
    }

    /** Returns whether the descriptor's rule lets everything pass uncounted. */
    boolean isUnlimited(int descriptor) {
        Rule rule = rules[descriptor];
        return rule != null && rule.isUnlimited();
    }

    /** Returns a check for each descriptor that has a limit, in the request's order. */
    List<Check> checks() {
        List<Descriptor> descriptors = request.descriptors();
        var checks = new ArrayList<Check>(descriptors.size());
        for (int i = 0; i < descriptors.size(); i++) {
            Limit limit = limits[i];
            if (limit != null) {
                Descriptor descriptor = descriptors.get(i);
                var key = KeyWriter.write(request.domain(), descriptor, rules[i], limit);
                checks.add(
                        (descriptor.isRefund()
                                ? Check.refund(key, limit, request.hitsOf(descriptor))
                                : Check.of(key, limit, request.hitsOf(descriptor))));
            }
        }
        return checks;
    }
}
