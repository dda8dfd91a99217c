package dev.weir.limit;

import org.jspecify.annotations.Nullable;

/** One counter as a store keeps it: what it holds between two checks, and its lock. */
public final class OneCounter {
    private Limit limit;
    private @Nullable State state;
    private @Nullable Lock lock;

    /** Creates a counter that does not exist yet. */
    public OneCounter(Limit limit) {
        this.limit = limit;
    }

    /** Goes on under another limit, as after a reload or with an override. */
    public OneCounter under(Limit other) {
        limit = other;
        return this;
    }

    /** Returns the limit that it is held against. */
    public Limit limit() {
        return limit;
    }

    /** Returns a counter that stands as this one does, and goes its own way. */
    public OneCounter copy() {
        var copy = new OneCounter(limit);
        copy.state = state;
        copy.lock = lock;
        return copy;
    }

    /** Asks for hits, once. */
    public Evaluation hit(long at, long hits) {
        return hits(at, hits, 1);
    }

    /** Asks for hits so many times at once. */
    public Evaluation hits(long at, long hits, long times) {
        Model model = Model.at(state, limit, at);
        long lockMicros = lockMicros(at);
        Evaluation answer = Evaluation.ofHits(model, limit, lockMicros, hits, times);
        state = model.state();
        if (lockMicros == 0 && limit.blockSeconds() > 0 && hits > 0 && answer.admitted() < times) {
            lock = new Lock(at, limit.blockMicros());
        }
        return answer;
    }

    /** Looks, which asks for 0 hits. */
    public Evaluation look(long at) {
        return hit(at, 0);
    }

    /** Gives hits back. */
    public Evaluation refund(long at, long hits) {
        Model model = Model.at(state, limit, at);
        Evaluation answer = Evaluation.ofRefund(model, lockMicros(at), hits);
        state = model.state();
        return answer;
    }

    /** Gives back what one check charged. */
    public Evaluation giveBack(long at, long hits, long chargedAt) {
        Model model = Model.at(state, limit, at);
        Evaluation answer = Evaluation.ofGivingBack(model, lockMicros(at), hits, chargedAt);
        state = model.state();
        return answer;
    }

    /** Returns how many hits one check could have. */
    public long left(long at) {
        return Model.at(state, limit, at).left();
    }

    /** Returns whether a check would be admitted, without asking for it. */
    public boolean wouldAdmit(long at, long hits) {
        return copy().hit(at, hits).admitted() == 1;
    }

    /** Returns what it holds, null for nothing. */
    @Nullable
    State state() {
        return state;
    }

    private long lockMicros(long at) {
        return limit.blockSeconds() == 0 ? 0 : Lock.leftMicros(lock, at);
    }
}
