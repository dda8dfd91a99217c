package dev.weir.store;

import dev.weir.limit.Evaluation;
import org.jspecify.annotations.Nullable;

/** A check of a {@link Batch} that stands for all its equals. Belongs to the thread that works on the batch. */
public final class Merged {
    final Check check;
    int times;

    @Nullable
    Evaluation evaluation;

    @Nullable
    StoreException failure;

    long handedOut;

    Merged(Check check) {
        this.check = check;
    }

    /** Returns the check. */
    public Check check() {
        return check;
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
