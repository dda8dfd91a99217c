package dev.weir.store;

import dev.weir.limit.Evaluation;
import dev.weir.limit.FixedWindowModel;
import dev.weir.limit.FixedWindowModel.Count;
import dev.weir.limit.Model;
import org.jspecify.annotations.Nullable;

/** A check of a {@link Batch} that stands for all its equals. Belongs to the thread that works on the batch. */
public final class Merged {
    final Check check;
    final @Nullable Plan plan;
    final boolean isFirst;
    int times;

    @Nullable
    Evaluation evaluation;

    @Nullable
    StoreException failure;

    long handedOut;
    boolean isTaken;
    boolean isOwed;

    /** Creates an entry for a check that is decided by itself. */
    Merged(Check check) {
        this(check, null, false);
    }

    /** Creates an entry for a check that is decided with the others of its plan, which lie side by side. */
    Merged(Check check, @Nullable Plan plan, boolean isFirst) {
        this.check = check;
        this.plan = plan;
        this.isFirst = isFirst;
    }

    /** Returns the check. */
    public Check check() {
        return check;
    }

    /** Returns the plan that begins with this check, if its checks are decided together; else null. */
    public @Nullable Plan planFromHere() {
        return isFirst ? plan : null;
    }

    /** Returns whether the check is decided by itself. */
    public boolean isIndependent() {
        return plan == null;
    }

    /** Returns how many equal checks it stands for, at least 1. */
    public int times() {
        return times;
    }

    /** Returns how many hits all of them ask for together. */
    public long hits() {
        return check.hits() * times;
    }

    /** Returns whether it only adds hits to a counter, by itself. Most checks do. */
    public boolean isPlain() {
        return isIndependent() && check.isPlain();
    }

    /**
     * Notes that the store has added the hits of plain checks to their counter.
     *
     * @param before what the counter held until then, as {@link FixedWindowModel} packs it
     * @param now by the store's clock, microseconds since the Unix epoch
     * @return what the counter holds since
     */
    public long counted(long before, long now) {
        Model model = Model.at(new Count(before), check.limit(), now);
        evaluation = check.evaluate(model, 0, times);
        return model.state() instanceof Count(long after) ? after : 0;
    }

    /**
     * Notes that hits were added to a counter that is in no window that goes on. They mean nothing, but the counter may have no
     * expiry until the next call, which therefore must be made though nobody waits any more.
     */
    public void oweExpiry() {
        isOwed = true;
    }

    /** Returns whether there is an answer, or a failure. */
    boolean isAnswered() {
        return evaluation != null || failure != null;
    }

    /** Notes the store's answer to all of them. */
    public void answer(Evaluation answer) {
        evaluation = answer;
    }

    /** Notes that the store could not count on this counter. */
    public void fail(StoreException reason) {
        failure = reason;
    }
}
