package dev.weir.decide;

import dev.weir.limit.FailurePolicy;
import dev.weir.limit.Limit;
import dev.weir.request.Status;
import dev.weir.request.Verdict;
import dev.weir.rules.NamedLimit;
import dev.weir.store.Beyond;
import dev.weir.store.Check;
import dev.weir.store.OwnShare;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests whose counters cannot be asked, as their rules want it then.
 *
 * <p>A descriptor that is refused refuses the request, whatever is not known of the others: else an error beside it, which most
 * callers let pass, would undo what the operator asked for. If nothing refuses it, one descriptor that wants an error makes the answer
 * one.
 */
final class FailurePolicies {
    /** Nobody knows when the store answers again; whoever comes back then may be lucky. */
    private static final long RETRY_MICROS = 1_000_000;

    private static final FailurePolicy[] ALL = FailurePolicy.values();

    private final Answering answering;
    private final Judge judge;
    private final @Nullable OwnShare ownShare;
    private final HitListener hits;

    /**
     * Creates the policies.
     *
     * @param ownShare null if this replica has no counters of its own beside the store's: then who wants them gets an error
     */
    FailurePolicies(Answering answering, Judge judge, @Nullable OwnShare ownShare, HitListener hits) {
        this.answering = answering;
        this.judge = judge;
        this.ownShare = ownShare;
        this.hits = hits;
    }

    /** Returns whether requests have an answer by that policy, other than an error. */
    boolean answers(FailurePolicy policy) {
        return switch (policy) {
            case ERROR -> false;
            case ALLOW, DENY -> true;
            case LOCAL -> ownShare != null && ownShare.isKnown();
        };
    }

    /** Returns whether requests have an answer by one of these. */
    boolean answersSome(Set<FailurePolicy> some) {
        for (FailurePolicy policy : ALL) { // asked for each call that is turned away: no stream, no iterator
            if (some.contains(policy) && answers(policy)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the verdict, or null if the answer is an error, and tells what became of the hits if it is not.
     *
     * @param plan what the store was or would have been asked
     */
    @Nullable
    Verdict verdict(Matched matched, Plan plan, Books books) {
        var answers = new Answers(matched, plan);
        List<Status> statuses = answers.statuses();
        boolean isRefused = Judge.isOver(matched, statuses) && !answering.shadowMode();
        if (!isRefused && answers.isAnError()) {
            return null;
        }
        answers.tell(books);
        return judge.verdict(matched, statuses, List.of(), answers.delayMicros());
    }

    /** What is answered to the descriptors of one request. */
    private final class Answers {
        private final Matched matched;

        /** Of each descriptor; of one without limits it means nothing. */
        private final FailurePolicy[] policies;

        // Of the descriptors that its own counters have decided, one after the other.
        private List<Limit> parts = List.of();
        private List<Reading> readings = List.of();

        Answers(Matched matched, Plan plan) {
            this.matched = matched;
            this.policies = new FailurePolicy[matched.request().descriptors().size()];
            Arrays.setAll(policies, matched::onStoreFailure);
            askOwnCounters(plan);
        }

        /** Where its own counters cannot say it, the policy becomes an error. */
        private void askOwnCounters(Plan plan) {
            var checks = new ArrayList<Check>();
            for (Check check : plan.checks()) {
                if (policies[check.descriptor()] == FailurePolicy.LOCAL) {
                    checks.add(check);
                }
            }
            if (checks.isEmpty()) {
                return;
            }
            OwnShare.Decided decided = ownShare == null ? null : ownShare.decide(checks, beyond(plan));
            if (decided == null) {
                Arrays.setAll(policies, i -> policies[i] == FailurePolicy.LOCAL ? FailurePolicy.ERROR : policies[i]);
            } else {
                parts = decided.limits();
                readings = decided.readings();
            }
        }

        /** Returns what is known of the descriptors that its own counters are not asked for. */
        private Beyond beyond(Plan plan) {
            boolean someQuotaIsDenied = false;
            boolean someQuotaMayPass = plan.beyond() == Beyond.SOME_QUOTA_PASSES;
            boolean someQuotaPasses = someQuotaMayPass;
            for (int i = 0; i < policies.length; i++) {
                if (!hasLimits(i)) {
                    continue;
                }
                boolean isDenied = isDenied(i) && !matched.isShadow(i);
                if (!matched.isQuota(i)) {
                    if (isDenied) {
                        return Beyond.REFUSED;
                    }
                    continue;
                }
                boolean isLocal = policies[i] == FailurePolicy.LOCAL;
                someQuotaIsDenied |= isDenied;
                someQuotaMayPass |= isLocal || !isDenied;
                someQuotaPasses |= !isLocal && !isDenied;
            }
            if (someQuotaIsDenied && !someQuotaMayPass) {
                return Beyond.REFUSED;
            }
            return someQuotaPasses ? Beyond.SOME_QUOTA_PASSES : Beyond.NOTHING;
        }

        /** What gives hits back is never refused. */
        private boolean isDenied(int descriptor) {
            return policies[descriptor] == FailurePolicy.DENY
                    && !matched.request().descriptors().get(descriptor).isRefund();
        }

        private boolean hasLimits(int descriptor) {
            return !matched.limits(descriptor).isEmpty();
        }

        boolean isAnError() {
            for (int i = 0; i < policies.length; i++) {
                if (policies[i] == FailurePolicy.ERROR && hasLimits(i)) {
                    return true;
                }
            }
            return false;
        }

        List<Status> statuses() {
            var statuses = new ArrayList<Status>(policies.length);
            int first = 0;
            for (int i = 0; i < policies.length; i++) {
                if (!hasLimits(i)) {
                    statuses.add(matched.isUnlimited(i) ? Status.UNLIMITED : Status.NO_RULE);
                } else if (policies[i] == FailurePolicy.LOCAL) {
                    int shown = Judge.shown(partsOf(i, first), readings, first);
                    NamedLimit limit = matched.limits(i).get(shown);
                    statuses.add(Judge.status(readings.get(first + shown), limit, matched.isShadow(i)));
                    first += matched.limits(i).size();
                } else {
                    statuses.add(isDenied(i) ? denied(i) : Status.NO_RULE);
                }
            }
            return statuses;
        }

        private Status denied(int descriptor) {
            NamedLimit first = matched.limits(descriptor).getFirst();
            boolean isOver = !matched.isShadow(descriptor);
            return new Status(isOver, first.limit().quota(), first.name(), 0, RETRY_MICROS);
        }

        /** Returns this replica's parts of the limits on a descriptor. */
        private List<NamedLimit> partsOf(int descriptor, int first) {
            List<NamedLimit> limits = matched.limits(descriptor);
            var named = new ArrayList<NamedLimit>(limits.size());
            for (int i = 0; i < limits.size(); i++) {
                named.add(new NamedLimit(parts.get(first + i), limits.get(i).name()));
            }
            return named;
        }

        /** Returns how long the fullest leaky bucket among its own counters delays what it lets pass. */
        long delayMicros() {
            long longest = Judge.NO_DELAY;
            for (int i = 0; i < parts.size(); i++) {
                longest = Math.max(longest, Judge.delayMicros(parts.get(i), readings.get(i)));
            }
            return longest;
        }

        void tell(Books books) {
            int first = 0;
            for (int i = 0; i < policies.length; i++) {
                if (!hasLimits(i)) {
                    continue;
                }
                hits.answeredBy(policies[i]);
                if (policies[i] == FailurePolicy.LOCAL) {
                    books.decided(matched, i, partsOf(i, first), readings, first);
                    first += matched.limits(i).size();
                } else {
                    books.undecided(matched, i);
                }
            }
        }
    }
}
