package dev.weir.decide;

import dev.weir.limit.FailurePolicy;
import dev.weir.limit.Limit;
import dev.weir.request.Status;
import dev.weir.rules.NamedLimit;
import dev.weir.store.Beyond;
import dev.weir.store.Check;
import dev.weir.store.OwnShare;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.StoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What is answered to each descriptor of a request that the store does not decide, or not alone: some are decided by it, some by
 * this replica's own counters, some by a word of their rule.
 *
 * <p>In this order, for each knows what was decided before it: what is charged on admission only is not charged where the request is refused
 * already. What a later one refuses, an earlier one may have charged: too strict for a while, never too lax.
 */
final class Answers {
    /** Nobody knows when the store answers again; whoever comes back then may be lucky. */
    private static final long RETRY_MICROS = 1_000_000;

    private final Matched matched;
    private final Plan plan;
    private final @Nullable OwnShare ownShare;

    // All three of each descriptor; without limits they mean nothing.
    private final boolean[] isAsked;
    private final FailurePolicy[] policies;
    private final @Nullable Held[] held;

    private @Nullable StoreException silence;

    /**
     * What counters have said to a descriptor.
     *
     * @param limits what it was held against: the limits of its rule, or this replica's parts of them
     * @param readings one for each limit
     */
    private record Held(List<NamedLimit> limits, List<Reading> readings) {
        boolean isRefused() {
            return !readings.stream().allMatch(Reading::isAdmitted);
        }
    }

    /** Creates what is answered where the store is not asked for anything. */
    Answers(Matched matched, Plan plan, @Nullable OwnShare ownShare) {
        this.matched = matched;
        this.plan = plan;
        this.ownShare = ownShare;
        this.policies = new FailurePolicy[matched.request().descriptors().size()];
        this.isAsked = new boolean[policies.length];
        this.held = new @Nullable Held[policies.length];
        Arrays.setAll(policies, matched::onStoreFailure);
    }

    /** Creates what is answered where the store is asked for all of which nothing else is said. */
    static Answers asked(Matched matched, Plan plan, @Nullable OwnShare ownShare) {
        var answers = new Answers(matched, plan, ownShare);
        Arrays.fill(answers.isAsked, true);
        return answers;
    }

    /** The store shall not be asked for a descriptor. */
    void leaveUnasked(int descriptor, StoreException why) {
        isAsked[descriptor] = false;
        silence = why;
    }

    Matched matched() {
        return matched;
    }

    Plan plan() {
        return plan;
    }

    /** Returns why the store is not asked for some descriptors, or null if nobody has said. */
    @Nullable
    StoreException silence() {
        return silence;
    }

    /** Returns the checks that the store is asked for. */
    List<Check> asked() {
        return checks(descriptor -> isAsked[descriptor]);
    }

    /** Returns the checks that the store is not asked for. */
    List<Check> unasked() {
        return checks(descriptor -> !isAsked[descriptor]);
    }

    private List<Check> checks(IntPredicate ofDescriptor) {
        return plan.checks().stream()
                .filter(check -> ofDescriptor.test(check.descriptor()))
                .toList();
    }

    /** Returns what is known of the descriptors that are decided already. */
    Beyond beyond() {
        boolean someQuotaIsDenied = false;
        boolean someQuotaMayPass = plan.beyond() == Beyond.SOME_QUOTA_PASSES;
        boolean someQuotaPasses = someQuotaMayPass;
        for (int i = 0; i < policies.length; i++) {
            if (!hasLimits(i)) {
                continue;
            }
            boolean isDecided = isDecided(i);
            boolean isRefused = isDecided && !matched.isShadow(i) && isRefused(i);
            if (!matched.isQuota(i)) {
                if (isRefused) {
                    return Beyond.REFUSED;
                }
                continue;
            }
            someQuotaIsDenied |= isRefused;
            someQuotaMayPass |= !isRefused;
            someQuotaPasses |= isDecided && !isRefused;
        }
        if (someQuotaIsDenied && !someQuotaMayPass) {
            return Beyond.REFUSED;
        }
        return someQuotaPasses ? Beyond.SOME_QUOTA_PASSES : Beyond.NOTHING;
    }

    private boolean isDecided(int descriptor) {
        return held[descriptor] != null || (!isAsked[descriptor] && policies[descriptor] != FailurePolicy.LOCAL);
    }

    private boolean isRefused(int descriptor) {
        Held its = held[descriptor];
        return its == null ? isDenied(descriptor) : its.isRefused();
    }

    /** What gives hits back is never refused. */
    private boolean isDenied(int descriptor) {
        return policies[descriptor] == FailurePolicy.DENY
                && !matched.request().descriptors().get(descriptor).isRefund();
    }

    private boolean hasLimits(int descriptor) {
        return !matched.limits(descriptor).isEmpty();
    }

    /** The store has said this to what it was asked for. */
    void hear(List<Reading> readings) {
        int first = 0;
        for (int i = 0; i < held.length; i++) {
            List<NamedLimit> limits = matched.limits(i);
            if (isAsked[i] && !limits.isEmpty()) {
                held[i] = new Held(limits, readings.subList(first, first + limits.size()));
                first += limits.size();
            }
        }
    }

    /** Where its own counters cannot say it, the policy becomes an error. */
    void askOwnCounters() {
        List<Check> own = checks(descriptor -> isLocal(descriptor));
        if (own.isEmpty()) {
            return;
        }
        OwnShare.Decided decided = ownShare == null ? null : ownShare.decide(own, beyond());
        int first = 0;
        for (int i = 0; i < held.length; i++) {
            if (!isLocal(i)) {
                continue;
            }
            if (decided == null) {
                policies[i] = FailurePolicy.ERROR;
            } else if (hasLimits(i)) {
                int end = first + matched.limits(i).size();
                held[i] = new Held(
                        parts(i, decided.limits().subList(first, end)),
                        decided.readings().subList(first, end));
                first = end;
            }
        }
    }

    private boolean isLocal(int descriptor) {
        return !isAsked[descriptor] && policies[descriptor] == FailurePolicy.LOCAL;
    }

    /** Returns this replica's parts of the limits on a descriptor, under their names. */
    private List<NamedLimit> parts(int descriptor, List<Limit> parts) {
        List<NamedLimit> limits = matched.limits(descriptor);
        var named = new ArrayList<NamedLimit>(limits.size());
        for (int i = 0; i < limits.size(); i++) {
            named.add(new NamedLimit(parts.get(i), limits.get(i).name()));
        }
        return named;
    }

    /** Returns whether one that nothing has decided wants that the answer is an error. */
    boolean isAnError() {
        for (int i = 0; i < policies.length; i++) {
            if (!isAsked[i] && policies[i] == FailurePolicy.ERROR && hasLimits(i)) {
                return true;
            }
        }
        return false;
    }

    List<Status> statuses() {
        var statuses = new ArrayList<Status>(policies.length);
        for (int i = 0; i < policies.length; i++) {
            statuses.add(status(i));
        }
        return statuses;
    }

    private Status status(int descriptor) {
        Held its = held[descriptor];
        if (!hasLimits(descriptor)) {
            return matched.isUnlimited(descriptor) ? Status.UNLIMITED : Status.NO_RULE;
        }
        if (its == null) {
            return isDenied(descriptor) ? denied(descriptor) : Status.NO_RULE;
        }
        int shown = Judge.shown(its.limits, its.readings, 0);
        NamedLimit limit = matched.limits(descriptor).get(shown);
        return Judge.status(its.readings.get(shown), limit, matched.isShadow(descriptor));
    }

    private Status denied(int descriptor) {
        NamedLimit first = matched.limits(descriptor).getFirst();
        boolean isOver = !matched.isShadow(descriptor);
        return new Status(isOver, first.limit().quota(), first.name(), 0, RETRY_MICROS);
    }

    /** Returns how long the fullest leaky bucket delays what it lets pass. */
    long delayMicros() {
        long longest = Judge.NO_DELAY;
        for (Held its : held) {
            for (int i = 0; its != null && i < its.readings.size(); i++) {
                longest = Math.max(longest, Judge.delayMicros(its.limits.get(i).limit(), its.readings.get(i)));
            }
        }
        return longest;
    }

    void tell(Books books, HitListener hits) {
        for (int i = 0; i < policies.length; i++) {
            if (!hasLimits(i)) {
                continue;
            }
            if (!isAsked[i]) {
                hits.answeredBy(policies[i]);
            }
            Held its = held[i];
            if (its == null) {
                books.undecided(matched, i);
            } else {
                books.decided(matched, i, its.limits, its.readings, 0);
            }
        }
    }
}
