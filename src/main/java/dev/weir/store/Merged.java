package dev.weir.store;

import dev.weir.limit.Evaluation;
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

    /** Notes the store's answer to all of them. */
    public void answered(Evaluation answer) {
        evaluation = answer;
    }

    /** Notes that the store could not count on this counter. */
    public void failed(StoreException reason) {
        failure = reason;
    }
}
