package dev.weir.decide;

import dev.weir.limit.FailurePolicy;
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
    private static final long RETRY_SECONDS = 1;

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

    /**
     * Returns the verdict, or null if the answer is an error, and tells what became of the hits if it is not.
     *
     * @param plan what the store was or would have been asked
     */
    @Nullable
    Verdict verdict(Matched matched, Plan plan, Books books) {
        FailurePolicy[] policies = policies(matched);
        List<Reading> own = own(matched, plan, policies);
        List<Status> statuses = statuses(matched, policies, own);
        boolean isRefused = Judge.isOver(matched, statuses) && !answering.shadowMode();
        if (!isRefused && has(FailurePolicy.ERROR, matched, policies)) {
            return null;
        }
        tell(matched, policies, own, books);
        return judge.verdict(matched, statuses, List.of());
    }

    /** Returns the policy of each descriptor; those without limits have one that means nothing. */
    private static FailurePolicy[] policies(Matched matched) {
        var policies = new FailurePolicy[matched.request().descriptors().size()];
        Arrays.setAll(policies, matched::onStoreFailure);
        return policies;
    }

    private static boolean has(FailurePolicy policy, Matched matched, FailurePolicy[] policies) {
        for (int i = 0; i < policies.length; i++) {
            if (policies[i] == policy && !matched.limits(i).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Asks this replica's own counters where that is wanted. Where they cannot say it, the policy becomes an error. */
    private List<Reading> own(Matched matched, Plan plan, FailurePolicy[] policies) {
        var checks = new ArrayList<Check>();
        for (Check check : plan.checks()) {
            if (policies[check.descriptor()] == FailurePolicy.LOCAL) {
                checks.add(check);
            }
        }
        if (checks.isEmpty()) {
            return List.of();
        }
        List<Reading> own = ownShare == null ? null : ownShare.decide(checks, beyond(matched, plan, policies));
        if (own == null) {
            Arrays.setAll(policies, i -> policies[i] == FailurePolicy.LOCAL ? FailurePolicy.ERROR : policies[i]);
            return List.of();
        }
        return own;
    }

    /** Returns what is known of the descriptors that its own counters are not asked for. */
    private static Beyond beyond(Matched matched, Plan plan, FailurePolicy[] policies) {
        Beyond beyond = plan.beyond();
        for (int i = 0; i < policies.length; i++) {
            boolean isDenied = policies[i] == FailurePolicy.DENY && !matched.isShadow(i);
            if (matched.limits(i).isEmpty() || policies[i] == FailurePolicy.LOCAL) {
                continue;
            }
            if (!matched.isQuota(i) && isDenied) {
                return Beyond.REFUSED;
            }
            if (matched.isQuota(i) && !isDenied) {
                beyond = Beyond.SOME_QUOTA_PASSES;
            }
        }
        return beyond;
    }

    private static List<Status> statuses(Matched matched, FailurePolicy[] policies, List<Reading> own) {
        var statuses = new ArrayList<Status>(policies.length);
        int reading = 0;
        for (int i = 0; i < policies.length; i++) {
            List<NamedLimit> limits = matched.limits(i);
            if (limits.isEmpty()) {
                statuses.add(matched.isUnlimited(i) ? Status.UNLIMITED : Status.NO_RULE);
                continue;
            }
            switch (policies[i]) {
                case ERROR, ALLOW -> statuses.add(Status.NO_RULE);
                case DENY -> statuses.add(denied(limits.getFirst(), matched.isShadow(i)));
                case LOCAL -> {
                    statuses.add(Judge.status(matched, i, own, reading));
                    reading += limits.size();
                }
            }
        }
        return statuses;
    }

    private static Status denied(NamedLimit limit, boolean isShadow) {
        return new Status(!isShadow, limit.limit().quota(), limit.name(), 0, RETRY_SECONDS);
    }

    private void tell(Matched matched, FailurePolicy[] policies, List<Reading> own, Books books) {
        int reading = 0;
        for (int i = 0; i < policies.length; i++) {
            List<NamedLimit> limits = matched.limits(i);
            if (limits.isEmpty()) {
                continue;
            }
            hits.answeredBy(policies[i]);
            if (policies[i] == FailurePolicy.LOCAL && ownShare != null) {
                books.decided(matched, i, parts(limits, ownShare), own, reading);
                reading += limits.size();
            } else {
                books.undecided(matched, i);
            }
        }
    }

    private static List<NamedLimit> parts(List<NamedLimit> limits, OwnShare share) {
        return limits.stream()
                .map(limit -> new NamedLimit(share.of(limit.limit()), limit.name()))
                .toList();
    }
}
