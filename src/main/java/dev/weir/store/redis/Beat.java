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
    /** So wide that each hit is written. */
    private static final Quota WIDE = Quota.per(Unit.SECOND, Quota.MAX_HITS);

    /** Charged as far as there is room, so that the hit needs the script, and is set. */
    private static final Limit SET = new Limit(WIDE, new Algorithm.FixedWindow(), Charge.DRAIN, 0);

    /** Charged in any case, so that the hit is added, as most hits are: a user of Redis may be allowed one, and not the other. */
    private static final Limit ADDED = Limit.fixedWindow(WIDE);

    Beat(CounterKey key, Line line) {
        this(line, Plan.of(List.of(Check.of(key, SET, 1), Check.of(key, ADDED, 1))), new Misses());
    }

    void miss(StoreException failure, boolean wasReached) {
        misses.miss(failure, wasReached);
    }

    boolean isLost() {
        return misses.areALoss();
    }
}
