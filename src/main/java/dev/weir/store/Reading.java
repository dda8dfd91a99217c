package dev.weir.store;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Evaluation;
import dev.weir.limit.Limit;

/**
 * The store's answer to one check.
 *
 * @param isAdmitted whether the hits fit
 * @param remaining hits that one more check could have after this one; 0 if it was refused
 * @param available hits that this check could have had: what was left when it arrived
 * @param resetMicros time until the counter is as if untouched; while a lock holds, or where this refusal begins one, until
 *     the lock ends
 * @param retryMicros time until this very check would be admitted; 0 if it was
 * @param delayMicros time until all hits that stood in a leaky bucket before this check's have left it; 0 for
 *     others, and for hits that are given back
 * @param isRemembered whether the store was not asked, because it is remembered what it would say
 */
public record Reading(
        boolean isAdmitted,
        long remaining,
        long available,
        long resetMicros,
        long retryMicros,
        long delayMicros,
        boolean isRemembered) {

    /** Makes a reading of a store that was asked. */
    public Reading(
            boolean isAdmitted, long remaining, long available, long resetMicros, long retryMicros, long delayMicros) {
        this(isAdmitted, remaining, available, resetMicros, retryMicros, delayMicros, false);
    }

    /**
     * Hands one of the equal checks of an evaluation its own reading, as if they had been asked one after the other.
     *
     * @param index which of the equal checks, in order of arrival, from 0
     */
    public static Reading of(Check check, Evaluation evaluation, long index) {
        if (index >= evaluation.admitted()) {
            return refused(check, evaluation, index - evaluation.admitted());
        }
        long hits = check.isRefund() || !evaluation.isCharged() ? 0 : check.hits();
        long later = hits * (evaluation.admitted() - 1 - index);
        long remaining = evaluation.left() + later;
        Limit limit = check.limit();
        long delay = !check.isRefund() && limit.algorithm() instanceof Algorithm.LeakyBucket
                ? evaluation.resetMicrosWithout(limit, later + hits)
                : 0;
        return new Reading(true, remaining, remaining + hits, evaluation.resetMicrosWithout(limit, later), 0, delay);
    }

    private static Reading refused(Check check, Evaluation evaluation, long refusedBefore) {
        boolean consumes = switch (check.limit().charge()) {
            case ALWAYS, DRAIN -> true;
            case ON_ADMIT -> false;
        };
        boolean isLocked = check.limit().blockSeconds() > 0 && check.hits() > 0; // a look locks nothing
        long available = isLocked && refusedBefore > 0
                ? 0
                : Math.max(0, evaluation.left() - (consumes ? check.hits() * refusedBefore : 0));
        long retry = evaluation.retryMicros();
        return new Reading(false, 0, available, isLocked ? retry : evaluation.resetMicros(), retry, 0);
    }
}
