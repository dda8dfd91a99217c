package dev.weir.store.memory;

import dev.weir.limit.BucketModel.Level;
import dev.weir.limit.FixedWindowModel.Count;
import dev.weir.limit.GcraModel.Arrival;
import dev.weir.limit.Lock;
import dev.weir.limit.State;
import dev.weir.store.CounterKey;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a counter lies in the table of its {@link Segment}. Guarded by its lock.
 *
 * <p>Its state is in fields, and each hit writes to them. A new state for each hit would be a young object that an old one
 * points at: each collection would have to copy one for every counter that was hit since the last, and would move them
 * among the old ones soon after. For the same reason no reference is written that stays as it is: Java would have to look
 * at the cell's neighbours when it collects. States of varying size are kept as they are.
 */
abstract sealed class Cell {
    /** Its key's hash times the store's secret. */
    final long spot;

    /** The next one in the same place of the table, null for none. */
    @Nullable
    Cell next;

    private final byte[] key;
    private @Nullable Lock lock;
    private long forgetAt;

    private Cell(CounterKey key, long spot) {
        this.key = key.bytes();
        this.spot = spot;
    }

    /** Returns a cell that holds a counter. */
    static Cell of(CounterKey key, long spot, Counter counter) {
        Cell cell = switch (counter.state()) {
            case Count _ -> new OfCount(key, spot);
            case Level _ -> new OfLevel(key, spot);
            case Arrival _ -> new OfArrival(key, spot);
            case null, default -> new OfAny(key, spot); // the others vary in size, and only their room knows them
        };
        cell.hold(counter);
        return cell;
    }

    /** Returns whether this is the key's cell. */
    final boolean isOf(CounterKey other) {
        return Arrays.equals(key, other.bytes());
    }

    /** Returns the number of bytes of the key. */
    final int keyLength() {
        return key.length;
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
        if (!Objects.equals(lock, counter.lock())) {
            lock = counter.lock();
        }
        forgetAt = counter.forgetAt();
        return true;
    }

    /** Returns the instant from which on the state is as good as none, in microseconds since the Unix epoch. */
    final long forgetAt() {
        return forgetAt;
    }

    abstract @Nullable State state();

    abstract boolean write(@Nullable State state);

    /** A count in fixed windows; 0 is none. */
    private static final class OfCount extends Cell {
        private long packed;

        private OfCount(CounterKey key, long spot) {
            super(key, spot);
        }

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

        private OfLevel(CounterKey key, long spot) {
            super(key, spot);
        }

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

        private OfArrival(CounterKey key, long spot) {
            super(key, spot);
        }

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

        private OfAny(CounterKey key, long spot) {
            super(key, spot);
        }

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
