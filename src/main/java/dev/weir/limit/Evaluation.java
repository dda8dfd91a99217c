package dev.weir.limit;

/**
 * What a counter says to a number of equal checks made at one instant.
 *
 * @param admitted how many of the checks are admitted: the first ones
 * @param left hits that one more check could have right after the admitted ones; what the refused ones consumed
 *     (where refused hits count) is not taken off
 * @param resetMicros time until the counter is as if untouched, after the last admitted check
 * @param slack by how much {@code resetMicros} was rounded up, see {@link Model#slack}
 * @param retryMicros time until a refused check would be admitted; 0 if none was refused
 * @param at the instant at which the hits were counted, in microseconds since the Unix epoch
 * @param isCharged whether the admitted hits were counted; not if their plan was refused
 */
public record Evaluation(
        long admitted, long left, long resetMicros, long slack, long retryMicros, long at, boolean isCharged) {

    /**
     * Asks for hits.
     *
     * @param model the counter, changed by what is charged
     * @param lockMicros for how long the counter is locked yet; 0 if it is not
     * @param hits what each check asks for; 0 looks and changes nothing
     * @param times how many checks there are; above 1 only if all refusals read alike
     */
    public static Evaluation ofHits(Model model, Limit limit, long lockMicros, long hits, long times) {
        long left = model.left();
        if (lockMicros > 0) {
            charge(model, limit.charge(), hits * times, 0, left);
            return new Evaluation(0, 0, lockMicros, 0, lockMicros, model.at(), true);
        }
        long admitted = hits == 0 ? looked(model, limit.charge(), times) : Math.min(times, left / hits);
        charge(model, limit.charge(), hits * times, hits * admitted, left);
        boolean someRefused = admitted < times;
        long retry = someRefused ? retry(model, limit, hits) : 0;
        return new Evaluation(
                admitted, left - hits * admitted, model.resetMicros(), model.slack(), retry, model.at(), true);
    }

    /** A look shows what one hit would meet; only where 0 hits themselves do not fit, or drain finds nothing, it is over. */
    private static long looked(Model model, Charge charge, long times) {
        return model.isOver() || (charge == Charge.DRAIN && model.left() == 0) ? 0 : times;
    }

    private static void charge(Model model, Charge charge, long asked, long admitted, long left) {
        long hits = switch (charge) {
            case ALWAYS -> asked;
            case ON_ADMIT -> admitted;
            case DRAIN -> Math.min(asked, left);
        };
        if (hits > 0) {
            model.take(hits);
        }
    }

    private static long retry(Model model, Limit limit, long hits) {
        if (hits == 0) {
            return model.retryMicros(limit.charge() == Charge.DRAIN ? 1 : 0);
        }
        return limit.blockSeconds() > 0 ? limit.blockMicros() : model.retryMicros(hits);
    }

    /** Gives hits back, in any case; a lock stays. */
    public static Evaluation ofRefund(Model model, long lockMicros, long hits) {
        model.give(hits);
        return afterRefund(model, lockMicros);
    }

    /** Gives back what one check charged at {@code chargedAt}. */
    public static Evaluation ofGivingBack(Model model, long lockMicros, long hits, long chargedAt) {
        model.giveBack(hits, chargedAt);
        return afterRefund(model, lockMicros);
    }

    private static Evaluation afterRefund(Model model, long lockMicros) {
        return lockMicros > 0
                ? new Evaluation(1, 0, lockMicros, 0, 0, model.at(), true)
                : new Evaluation(1, model.left(), model.resetMicros(), model.slack(), 0, model.at(), true);
    }

    /** Shows the counter to a check that was admitted and is not charged, because its plan was refused. */
    public static Evaluation ofDiscarded(Model model, long lockMicros) {
        return lockMicros > 0
                ? new Evaluation(1, 0, lockMicros, 0, 0, model.at(), false)
                : new Evaluation(1, model.left(), model.resetMicros(), model.slack(), 0, model.at(), false);
    }

    /**
     * Returns the time until the counter would have been as if untouched, had so many of the admitted hits not come.
     *
     * @param hits of the admitted ones, the last
     */
    public long resetMicrosWithout(Limit limit, long hits) {
        if (hits == 0 || !limit.algorithm().isEven()) {
            return resetMicros;
        }
        var time = Exact.share(limit.quota().windowMicros(), hits, limit.quota().hits());
        return resetMicros
                - time.whole()
                - (slack + time.over() >= limit.quota().hits() ? 1 : 0);
    }
}
