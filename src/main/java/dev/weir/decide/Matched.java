package dev.weir.decide;

import dev.weir.decide.key.KeyWriter;
import dev.weir.limit.FailurePolicy;
import dev.weir.limit.Limit;
import dev.weir.request.Descriptor;
import dev.weir.request.Request;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.Rule;
import dev.weir.rules.RuleSet;
import dev.weir.rules.Tree;
import dev.weir.store.Beyond;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Role;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the rules say to each descriptor of one request: limits of a rule, one that the caller sent along, or nothing. */
final class Matched {
    private final Request request;
    private final Answering answering;
    private final @Nullable Tree tree;
    private final @Nullable Rule[] rules;
    private final List<List<NamedLimit>> limits;
    private int unmatched;

    private Matched(Request request, Answering answering, @Nullable Tree tree) {
        int size = request.descriptors().size();
        this.request = request;
        this.answering = answering;
        this.tree = tree;
        this.rules = new @Nullable Rule[size];
        this.limits = new ArrayList<>(size);
    }

    /** Finds the limits of each descriptor, and drops those that another one replaces. */
    static Matched in(RuleSet inForce, Request request, Answering answering) {
        var matched = new Matched(request, answering, inForce.domain(request.domain()));
        if (matched.find()) {
            matched.dropReplaced();
        }
        return matched;
    }

    /** Returns whether a rule replaces limits. */
    private boolean find() {
        boolean replaces = false;
        for (int i = 0; i < rules.length; i++) {
            Descriptor descriptor = request.descriptors().get(i);
            Rule rule = tree == null ? null : tree.match(descriptor);
            if (tree != null && descriptor.override() != null) {
                limits.add(List.of(OverrideLimit.of(descriptor.override(), rule, answering.fixedWindowCharge())));
                continue;
            }
            rules[i] = rule;
            unmatched += rule == null ? 1 : 0;
            limits.add(rule == null ? List.of() : rule.limits());
            replaces |= rule != null && !rule.replaces().isEmpty();
        }
        return replaces;
    }

    /** Names are collected from all rules first: a replaced rule still replaces others. Unlimited rules stay. */
    private void dropReplaced() {
        Set<String> replaced = new HashSet<>();
        for (Rule rule : rules) {
            if (rule != null) {
                replaced.addAll(rule.replaces());
            }
        }
        for (int i = 0; i < rules.length; i++) {
            Rule rule = rules[i];
            if (rule != null && !rule.isUnlimited()) {
                List<NamedLimit> rest = limits.get(i).stream()
                        .filter(limit -> limit.name().isEmpty() || !replaced.contains(limit.name()))
                        .toList();
                limits.set(i, rest);
                rules[i] = rest.isEmpty() ? null : rule;
            }
        }
    }

    Request request() {
        return request;
    }

    /** Returns whether the domain has rules. */
    boolean hasDomain() {
        return tree != null;
    }

    /** Returns how many descriptors met no rule and brought no limit along: all of them where the domain has no rules. */
    int unmatched() {
        return unmatched;
    }

    /** Returns the rule that counts for the descriptor, or null if none does or the caller sent a limit along. */
    @Nullable
    Rule rule(int descriptor) {
        return rules[descriptor];
    }

    /** Returns the limits that the descriptor is held against; none if there are none. */
    List<NamedLimit> limits(int descriptor) {
        return limits.get(descriptor);
    }

    /** Returns the limits that each descriptor is held against, in the request's order. */
    List<List<NamedLimit>> limits() {
        return Collections.unmodifiableList(limits);
    }

    /** Returns whether the descriptor's rule lets everything pass uncounted. */
    boolean isUnlimited(int descriptor) {
        Rule rule = rules[descriptor];
        return rule != null && rule.isUnlimited();
    }

    /** Returns whether the descriptor's rule counts and refuses nothing. */
    boolean isShadow(int descriptor) {
        Rule rule = rules[descriptor];
        return rule != null && rule.flags().shadowMode();
    }

    /**
     * Returns whether the descriptor refuses only together with all others of its kind. Under the global quota mode every
     * descriptor does, also those that no rule limits (they pass), but not unlimited ones.
     */
    boolean isQuota(int descriptor) {
        if (answering.quotaMode()) {
            return !isUnlimited(descriptor);
        }
        Rule rule = rules[descriptor];
        return rule != null && !rule.isUnlimited() && rule.flags().quotaMode();
    }

    /** Returns what is answered to the descriptor where the store cannot be asked. A limit that the caller sent along stands in no rule. */
    FailurePolicy onStoreFailure(int descriptor) {
        Rule rule = rules[descriptor];
        FailurePolicy policy = rule == null ? null : rule.flags().onStoreFailure();
        if (policy == null && tree != null) {
            policy = tree.onStoreFailure();
        }
        return policy == null ? answering.onStoreFailure() : policy;
    }

    /** Returns the checks of all limits, in the request's order, or null if there are none. */
    @Nullable
    Plan plan() {
        List<Descriptor> descriptors = request.descriptors();
        int size = 0;
        for (int i = 0; i < rules.length; i++) {
            size += limits.get(i).size();
        }
        var checks = new ArrayList<Check>(size);
        boolean isAtomic = tree != null && tree.isAtomic();
        boolean someQuotaPasses = false;
        for (int i = 0; i < rules.length; i++) {
            List<NamedLimit> some = limits.get(i);
            someQuotaPasses |= isQuota(i) && (some.isEmpty() || isShadow(i));
            CounterKey key = null;
            for (int j = 0; j < some.size(); j++) { // indexed: an iterator for each descriptor would be garbage
                Limit limit = some.get(j).limit();
                key = key == null
                        ? KeyWriter.write(request.domain(), descriptors.get(i), rules[i], limit, isAtomic)
                        : KeyWriter.beside(key, some.get(j - 1).limit(), limit, isAtomic);
                checks.add(check(i, key, limit));
            }
        }
        return checks.isEmpty() ? null : new Plan(checks, someQuotaPasses ? Beyond.SOME_QUOTA_PASSES : Beyond.NOTHING);
    }

    private Check check(int position, CounterKey key, Limit limit) {
        Descriptor descriptor = request.descriptors().get(position);
        boolean isShadow = isShadow(position);
        Role role = isShadow ? Role.SHADOW : isQuota(position) ? Role.QUOTA : Role.ENFORCING;
        return new Check(
                key,
                isShadow ? limit.withoutLock() : limit,
                request.hitsOf(descriptor),
                descriptor.isRefund(),
                Check.NO_INSTANT,
                role,
                position);
    }
}
