package dev.weir.decide;

import dev.weir.decide.FailurePolicies.Held;
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
import java.util.Collections;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What is answered to each descriptor of a request that the store does not decide, or not alone: some are decided by it, some by
 * this replica's own counters, some by a word of their rule.
 *
 * <p>Words of rules are known beforehand, then its own counters are asked, then the store. Each knows what was decided before it: what is
 * charged on admission only is not charged where the request is refused already. What is not known yet is taken to pass. So what the store refuses
 * may be charged to this replica's share: too strict for a while, never too lax. What the store was asked for and has not answered comes last, in the same order.
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

    /** Returns why the store is not asked for some descriptors, or null if nobody has said. */
    @Nullable
    StoreException silence() {
        return silence;
    }

    /** Returns what the store is asked, or null if that is nothing. */
    @Nullable
    Plan asked() {
        List<Check> asked = checks(descriptor -> isAsked[descriptor]);
        return asked.isEmpty() ? null : new Plan(asked, beyond(descriptor -> isAsked[descriptor]));
    }

    /** Returns what the store is not asked, as a plan that charges nothing on admission. */
    Plan unasked() {
        return new Plan(checks(descriptor -> !isAsked[descriptor]), Beyond.REFUSED);
    }

    private List<Check> checks(IntPredicate ofDescriptor) {
        return plan.checks().stream()
                .filter(check -> ofDescriptor.test(check.descriptor()))
                .toList();
    }

    /** Returns what is known of the descriptors beyond a plan. */
    private Beyond beyond(IntPredicate isOfPlan) {
        boolean someQuotaIsDenied = false;
        boolean someQuotaMayPass = plan.beyond() == Beyond.SOME_QUOTA_PASSES;
        boolean someQuotaPasses = someQuotaMayPass;
        for (int i = 0; i < policies.length; i++) {
            if (!hasLimits(i)) {
                continue;
            }
            boolean isBeyond = !isOfPlan.test(i);
            boolean isRefused = isBeyond && !matched.isShadow(i) && isRefused(i);
            if (!matched.isQuota(i)) {
                if (isRefused) {
                    return Beyond.REFUSED;
                }
                continue;
            }
            someQuotaIsDenied |= isRefused;
            someQuotaMayPass |= !isRefused;
            someQuotaPasses |= isBeyond && !isRefused;
        }
        if (someQuotaIsDenied && !someQuotaMayPass) {
            return Beyond.REFUSED;
        }
        return someQuotaPasses ? Beyond.SOME_QUOTA_PASSES : Beyond.NOTHING;
    }

    /** What the store is yet to be asked is taken to pass. */
    private boolean isRefused(int descriptor) {
        Held its = held[descriptor];
        return its == null ? !isAsked[descriptor] && isDenied(descriptor) : its.isRefused();
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
                held[i] = Held.all(limits, readings.subList(first, first + limits.size()));
                first += limits.size();
            }
        }
    }

    /**
     * The store was asked, and has said this in part.
     *
     * @param readings one for each check of {@link #asked}, null where there is none; or nothing
     */
    void hearSome(List<@Nullable Reading> readings) {
        int first = 0;
        for (int i = 0; i < held.length; i++) {
            List<NamedLimit> limits = matched.limits(i);
            if (isAsked[i] && !limits.isEmpty()) {
                held[i] = readings.isEmpty() ? null : Held.some(limits, readings.subList(first, first + limits.size()));
                isAsked[i] = held[i] != null;
                first += limits.size();
            }
        }
    }

    /** Asks its own counters what nothing has decided and nobody else will. Where they cannot say it, the policy becomes an error. */
    void askOwnCounters() {
        boolean[] isOwn = new boolean[held.length];
        for (int i = 0; i < isOwn.length; i++) {
            isOwn[i] = held[i] == null && !isAsked[i] && policies[i] == FailurePolicy.LOCAL;
        }
        List<Check> own = checks(descriptor -> isOwn[descriptor]);
        if (own.isEmpty()) {
            return;
        }
        OwnShare.Decided decided =
                ownShare == null ? null : ownShare.decide(own, beyond(descriptor -> isOwn[descriptor]));
        int first = 0;
        for (int i = 0; i < held.length; i++) {
            if (!isOwn[i]) {
                continue;
            }
            if (decided == null) {
                policies[i] = FailurePolicy.ERROR;
            } else if (hasLimits(i)) {
                int end = first + matched.limits(i).size();
                held[i] = Held.parts(
                        parts(i, decided.limits().subList(first, end)),
                        matched.limits(i),
                        decided.readings().subList(first, end));
                first = end;
            }
        }
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
        int shown = Judge.shown(its.limits(), its.readings(), 0);
        NamedLimit limit = its.shown().get(shown);
        return Judge.status(its.readings().get(shown), limit, matched.isShadow(descriptor));
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
            for (int i = 0; its != null && i < its.readings().size(); i++) {
                longest = Math.max(
                        longest,
                        Judge.delayMicros(
                                its.limits().get(i).limit(), its.readings().get(i)));
            }
        }
        return longest;
    }

    /** Returns a reading for each check of the request; those of counters that nobody has asked are refusals. */
    List<Reading> readings() {
        var readings = new ArrayList<Reading>(plan.checks().size());
        for (int i = 0; i < held.length; i++) {
            Held its = held[i];
            readings.addAll(its == null ? Collections.nCopies(matched.limits(i).size(), Held.UNKNOWN) : its.ofAll());
        }
        return readings;
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
                books.decided(matched, i, its.limits(), its.readings(), 0);
                books.undecidedBut(matched, i, its.shown());
            }
        }
    }
}
