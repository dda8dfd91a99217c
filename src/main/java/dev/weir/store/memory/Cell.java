package dev.weir.store.memory;

import dev.weir.limit.BucketModel.Level;
import dev.weir.limit.FixedWindowModel.Count;
import dev.weir.limit.GcraModel.Arrival;
import dev.weir.limit.Lock;
import dev.weir.limit.State;
import org.jspecify.annotations.Nullable;

/**
 * Where a counter lies in the table. Guarded by its segment's lock.
 *
 * <p>Its state is in fields, and each hit writes to them. A new state for each hit would be a young object that an old one
 * points at: each collection would have to copy one for every counter that was hit since the last, and would move them
 * among the old ones soon after. States of varying size are kept as they are.
 */
abstract sealed class Cell {
    private @Nullable Lock lock;
    private long forgetAt;

    /** Returns a cell that holds a counter. */
    static Cell of(Counter counter) {
        Cell cell = switch (counter.state()) {
            case Count _ -> new OfCount();
            case Level _ -> new OfLevel();
            case Arrival _ -> new OfArrival();
            case null, default -> new OfAny();
        };
        cell.hold(counter);
        return cell;
    }

    /** Returns the counter as it stands. */
    final Counter counter() {
        return new Counter(state(), lock, forgetAt);
    }

    /**
     * Lets a counter stand as it is now.
     *
     * @return whether there is room for its state; if not, nothing has changed
     */
    final boolean hold(Counter counter) {
        if (!write(counter.state())) {
            return false;
        }
        lock = counter.lock();
        forgetAt = counter.forgetAt();
        return true;
    }

    /** Returns the instant from which on the counter is as good as none, in microseconds since the Unix epoch. */
    final long forgetAt() {
        return forgetAt;
    }

    abstract @Nullable State state();

    abstract boolean write(@Nullable State state);

    /** A count in fixed windows; 0 is none. */
    private static final class OfCount extends Cell {
        private long packed;

        @Override
        @Nullable
        State state() {
            return packed == 0 ? null : new Count(packed);
        }

        @Override
        boolean write(@Nullable State state) {
            switch (state) {
                case null -> packed = 0;
                case Count count -> packed = count.packed();
                default -> {
                    return false;
                }
            }
            return true;
        }
    }

    /** A bucket; one without hits is none. */
    private static final class OfLevel extends Cell {
        private long hits;
        private long fraction;
        private long instant;

        @Override
        @Nullable
        State state() {
            return hits == 0 ? null : new Level(hits, fraction, instant);
        }

        @Override
        boolean write(@Nullable State state) {
            switch (state) {
                case null -> hits = 0;
                case Level level -> {
                    hits = level.hits();
                    fraction = level.fraction();
                    instant = level.instant();
                }
                default -> {
                    return false;
                }
            }
            return true;
        }
    }

    /** The next due hit of a cell rate. */
    private static final class OfArrival extends Cell {
        private boolean isDue;
        private long ahead;
        private long fraction;
        private long limit;
        private long instant;

        @Override
        @Nullable
        State state() {
            return isDue ? new Arrival(ahead, fraction, limit, instant) : null;
        }

        @Override
        boolean write(@Nullable State state) {
            switch (state) {
                case null -> isDue = false;
                case Arrival arrival -> {
                    isDue = true;
                    ahead = arrival.ahead();
                    fraction = arrival.fraction();
                    limit = arrival.limit();
                    instant = arrival.instant();
                }
                default -> {
                    return false;
                }
            }
            return true;
        }
    }

    /** Any state, or a lock alone. */
    private static final class OfAny extends Cell {
        private @Nullable State state;

        @Override
        @Nullable
        State state() {
            return state;
        }

        @Override
        boolean write(@Nullable State after) {
            state = after;
            return true;
        }
    }
}
