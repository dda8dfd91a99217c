package dev.weir.store;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Evaluation;
import dev.weir.limit.Limit;
import dev.weir.limit.Model;

/**
 * One question to a store: does this counter, under this limit, have room for these hits?
 *
 * @param key the counter
 * @param limit what it is held against
 * @param hits how many are asked for, or given back; 0 only looks
 * @param isRefund whether the hits are given back
 * @param chargedAt for a refund of exactly what another check charged: the instant at which it did, {@link Evaluation#at};
 *     else {@link #NO_INSTANT}
 * @param role what a refusal means; the same for all limits of one descriptor
 * @param descriptor the position of the request's descriptor; several limits on one descriptor stand together
 */
public record Check(
        CounterKey key, Limit limit, long hits, boolean isRefund, long chargedAt, Role role, int descriptor) {
    /** The refund names no charge. */
    public static final long NO_INSTANT = -1;

    /** Returns a check that asks for hits, enforcing, for the first descriptor. */
    public static Check of(CounterKey key, Limit limit, long hits) {
        return new Check(key, limit, hits, false, NO_INSTANT, Role.ENFORCING, 0);
    }

    /** Returns a check that gives hits back. */
    public static Check refund(CounterKey key, Limit limit, long hits) {
        return new Check(key, limit, hits, true, NO_INSTANT, Role.ENFORCING, 0);
    }

    /** Returns this check with another role, for another descriptor. */
    public Check as(Role newRole, int ofDescriptor) {
        return new Check(key, limit, hits, isRefund, chargedAt, newRole, ofDescriptor);
    }

    /** Returns this check of another counter, under another limit. */
    Check on(CounterKey other, Limit itsLimit) {
        return new Check(other, itsLimit, hits, isRefund, chargedAt, role, descriptor);
    }

    /** Returns the refund of what this check charged at that instant. */
    public Check givenBack(long at) {
        return new Check(key, limit, hits, true, at, role, descriptor);
    }

    /** Returns whether it is charged only if its whole plan is admitted; all others are charged in any case, or never. */
    public boolean isTentative() {
        return hits > 0 && !isRefund && limit.charge() == Charge.ON_ADMIT;
    }

    /** Returns whether it only adds hits to a counter: in a fixed window that counts them in any case. Most checks do. */
    public boolean isPlain() {
        return hits > 0
                && !isRefund
                && limit.blockSeconds() == 0
                && limit.charge() == Charge.ALWAYS
                && limit.algorithm() instanceof Algorithm.FixedWindow;
    }

    /**
     * Returns whether one answer can serve both: same counter, limit and hits. Where refused hits move a sliding window, or
     * take what is left, each refusal reads differently; refunds are answered one by one, too.
     */
    public boolean isSameAs(Check other) {
        return hits == other.hits
                && !isRefund
                && !other.isRefund
                && key.equals(other.key)
                && limit.equals(other.limit)
                && (hits == 0 || refusesAlike());
    }

    private boolean refusesAlike() {
        return switch (limit.charge()) {
            case ALWAYS -> limit.algorithm() instanceof Algorithm.FixedWindow;
            case ON_ADMIT -> true;
            case DRAIN -> false;
        };
    }

    /** Asks a counter. */
    public Evaluation evaluate(Model model, long lockMicros, long times) {
        if (!isRefund) {
            return Evaluation.ofHits(model, limit, lockMicros, hits, times);
        }
        return chargedAt == NO_INSTANT
                ? Evaluation.ofRefund(model, lockMicros, hits)
                : Evaluation.ofGivingBack(model, lockMicros, hits, chargedAt);
    }

    /** Returns whether it locks its counter where it is refused, unless that is locked already. */
    public boolean locks() {
        return hits > 0 && !isRefund && limit.blockSeconds() > 0;
    }
}
