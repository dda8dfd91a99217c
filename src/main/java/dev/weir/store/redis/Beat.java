package dev.weir.store.redis;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.StoreException;
import java.util.List;

/** A counter of the {@link Pulse}, and what became of its last hits. Belongs to the thread of the pulse. */
record Beat(Line line, Plan plan, Misses misses) {
    /** Charged on admission, so that no hit goes the short way, and so wide that each is written. */
    private static final Limit BY_SCRIPT =
            new Limit(Quota.per(Unit.SECOND, Quota.MAX_HITS), new Algorithm.FixedWindow(), Charge.ON_ADMIT, 0);

    Beat(CounterKey key, Line line) {
        this(line, Plan.of(List.of(Check.of(key, BY_SCRIPT, 1))), new Misses());
    }

    void miss(StoreException failure, boolean wasReached) {
        misses.miss(failure, wasReached);
    }

    boolean isLost() {
        return misses.areALoss();
    }
}
