package dev.weir.store;

import dev.weir.limit.Evaluation;

/**
 * The store's answer to one check.
 *
 * @param isAdmitted whether the hits fit
 * @param remaining hits that one more check could have after this one; 0 if it was refused
 * @param available hits that this check could have had: what was left when it arrived
 * @param resetMicros time until the counter is as if untouched
 * @param retryMicros time until this very check would be admitted
 */
public record Reading(boolean isAdmitted, long remaining, long available, long resetMicros, long retryMicros) {

    /**
     * Hands one of the equal checks of an evaluation its own reading, as if they had been asked one after the other.
     *
     * @param index which of the equal checks, in order of arrival, from 0
     */
    public static Reading of(Check check, Evaluation evaluation, long index) {
        if (index >= evaluation.admitted()) {
            long spent = check.hits() * (index - evaluation.admitted());
            long available = Math.max(0, evaluation.left() - spent);
            return new Reading(false, 0, available, evaluation.resetMicros(), evaluation.retryMicros());
        }
        long remaining = evaluation.left() + check.hits() * (evaluation.admitted() - 1 - index);
        long available = check.isRefund() ? remaining : remaining + check.hits();
        return new Reading(true, remaining, available, evaluation.resetMicros(), 0);
    }
}
