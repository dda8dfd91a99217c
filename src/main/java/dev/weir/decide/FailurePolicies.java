package dev.weir.decide;

import dev.weir.limit.FailurePolicy;
import dev.weir.request.Status;
import dev.weir.request.Verdict;
import dev.weir.rules.NamedLimit;
import dev.weir.store.Check;
import dev.weir.store.OwnShare;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests whose counters, or some of them, cannot be asked, as their rules want it then.
 *
 * <p>A descriptor that is refused refuses the request, whatever is not known of the others: else an error beside it, which most
 * callers let pass, would undo what the operator asked for. If nothing refuses it, one descriptor that wants an error makes the answer
 * one.
 */
final class FailurePolicies {
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

    /** Returns what is to be answered to a request none of whose counters can be asked. */
    Answers unasked(Matched matched, Plan plan) {
        return new Answers(matched, plan, ownShare);
    }

    /** Returns what is to be answered to a request whose counters are asked. */
    Answers asked(Matched matched, Plan plan) {
        return Answers.asked(matched, plan, ownShare);
    }

    /**
     * Returns what is to be answered to a request whose counters live in several parts of the store, one of which decides nothing; null if there is no
     * such part. A plan over several parts may come to the others only when its time is up.
     */
    @Nullable
    Answers inPart(Matched matched, Plan plan, Store store) {
        List<Check> checks = plan.checks();
        Answers answers = null;
        for (int i = 0; i < checks.size(); i++) { // indexed: an iterator for each request would be garbage
            StoreException silence = store.silenceOf(checks.get(i));
            if (silence != null) {
                answers = answers == null ? asked(matched, plan) : answers;
                answers.leaveUnasked(checks.get(i).descriptor(), silence);
            }
        }
        return answers == null || areTogether(checks, store) ? null : answers;
    }

    private static boolean areTogether(List<Check> checks, Store store) {
        int first = store.partOf(checks.getFirst());
        return checks.stream().allMatch(check -> store.partOf(check) == first);
    }

    /** Returns the verdict, or null if the answer is an error, and tells what became of the hits if it is not. */
    @Nullable
    Verdict verdict(Answers answers, Books books) {
        Matched matched = answers.matched();
        answers.askOwnCounters();
        List<Status> statuses = answers.statuses();
        boolean isRefused = Judge.isOver(matched, statuses) && !answering.shadowMode();
        if (!isRefused && answers.isAnError()) {
            return null;
        }
        answers.tell(books, hits);
        return judge.verdict(matched, statuses, answers.readings(), answers.delayMicros());
    }

    /**
     * What counters have said to a descriptor.
     *
     * @param limits what it was held against: the limits of its rule, or some of them, or this replica's parts of them
     * @param shown the limits that its caller is shown, one for each of these
     * @param readings one for each of these
     * @param ofAll one for each limit of its rule
     */
    record Held(List<NamedLimit> limits, List<NamedLimit> shown, List<Reading> readings, List<Reading> ofAll) {
        /** Of a counter that nobody has asked: it refuses, and says no more. */
        static final Reading UNKNOWN = new Reading(false, 0, 0, 0, 0, 0);

        /** Returns what all limits of a descriptor's rule have said. */
        static Held all(List<NamedLimit> limits, List<Reading> readings) {
            return new Held(limits, limits, readings, readings);
        }

        /** Returns what this replica's parts of them have said. */
        static Held parts(List<NamedLimit> parts, List<NamedLimit> limits, List<Reading> readings) {
            return new Held(parts, limits, readings, readings);
        }

        /**
         * Returns what some of a descriptor's limits have said, or null if that does not decide it: others are missing, and none of
         * these refuses.
         */
        static @Nullable Held some(List<NamedLimit> limits, List<@Nullable Reading> some) {
            var said = new ArrayList<NamedLimit>();
            var readings = new ArrayList<Reading>();
            var ofAll = new ArrayList<Reading>();
            for (int i = 0; i < limits.size(); i++) {
                Reading reading = some.get(i);
                if (reading != null) {
                    said.add(limits.get(i));
                    readings.add(reading);
                }
                ofAll.add(reading == null ? UNKNOWN : reading);
            }
            var held = new Held(said, said, readings, ofAll);
            return said.size() == limits.size() || held.isRefused() ? held : null;
        }

        boolean isRefused() {
            return !readings.stream().allMatch(Reading::isAdmitted);
        }
    }
}
