package dev.weir.store.memory;

import dev.weir.store.CounterKey;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Some of the counters, and the lock that guards them: whoever asks for one holds it.
 *
 * <p>A hash table of its own, because a {@code HashMap} has a node and a key object for each counter: without them a fifth more
 * counters fit into the same heap. Cells that share a place are a chain.
 *
 * <p>A place is a part of the counter's spot, a number that nobody outside can foretell ({@link MemoryStore}): callers choose
 * values, but not what shares a place. Keys with one hash have one spot, too, and are easily made. Only one of them lies in a
 * chain; the others are in a tree, where many cost no more than a logarithm.
 */
final class Segment {
    /** So many of a spot's upper bits choose the segment; those after them choose the place in its table. */
    static final int CHOOSING_BITS = 9;

    private static final int LEAST_BITS = 1;
    private static final long TIDY_MICROS = 1_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<CounterKey, Cell> twins = new TreeMap<>();

    /** The places of the table, each the head of a chain or null. */
    @Nullable
    Cell[] chains = new Cell[1 << LEAST_BITS];

    private int bits = LEAST_BITS;
    private int inChains;
    private long forgotAt = -TIDY_MICROS;

    /** Hears what becomes of counters that are forgotten. */
    @FunctionalInterface
    interface Forgotten {
        /** Tells of one: what it was, and its lock alone if that stays, else null. */
        void became(int keyLength, Counter before, @Nullable Counter after);
    }

    void lock() {
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }

    /** Returns where a counter lies, null if there is none. */
    @Nullable
    Cell get(CounterKey key, long spot) {
        Cell cell = inChain(spot);
        return cell != null && cell.isOf(key) ? cell : twins.get(key);
    }

    /**
     * Lets a counter stand as it is now; null takes it away.
     *
     * @param cell where it lies, null for nowhere yet
     */
    void put(CounterKey key, long spot, @Nullable Cell cell, @Nullable Counter counter) {
        if (cell != null && counter != null && cell.hold(counter)) {
            return;
        }
        if (cell != null && twins.remove(key) == null) {
            takeOut(cell);
        }
        if (counter != null) {
            add(key, Cell.of(key, spot, counter));
        }
    }

    private void add(CounterKey key, Cell cell) {
        if (inChain(cell.spot) != null) {
            twins.put(key, cell);
            return;
        }
        putIn(cell);
        inChains++;
        if (inChains > chains.length / 2) {
            resize(bits + 1);
        }
    }

    /** Returns whether nobody has looked for what is over for a second; the clock does not step back. */
    boolean isUntidy(long now) {
        return now - forgotAt >= TIDY_MICROS;
    }

    /** Returns how many places {@link #forget} would look at. */
    int places() {
        return chains.length + twins.size();
    }

    /** Takes away what is as good as none at this instant, and tells of it. */
    void forget(long now, Forgotten forgotten) {
        forgotAt = now;
        for (Cell head : chains) {
            for (Cell cell = head; cell != null; cell = cell.next) {
                if (isEmptied(cell, now, forgotten)) {
                    takeOut(cell);
                }
            }
        }
        twins.values().removeIf(cell -> isEmptied(cell, now, forgotten));
        if (inChains <= chains.length / 16 && bits > LEAST_BITS) {
            resize(Math.max(LEAST_BITS, bits - 2));
        }
    }

    /**
     * Returns whether nothing of a cell stays. A count that waited for the end of its lock would be in force again when its
     * window's number comes round.
     */
    private static boolean isEmptied(Cell cell, long now, Forgotten forgotten) {
        if (cell.forgetAt() > now) {
            return false;
        }
        Counter before = cell.counter();
        Counter after = before.lockAlone(now);
        forgotten.became(cell.keyLength(), before, after);
        return after == null || !cell.hold(after);
    }

    private void resize(int newBits) {
        @Nullable Cell[] old = chains;
        chains = new Cell[1 << newBits]; // first: if the heap is full, all stays as it is
        bits = newBits;
        for (Cell head : old) {
            Cell cell = head;
            while (cell != null) {
                Cell next = cell.next;
                putIn(cell);
                cell = next;
            }
        }
    }

    private @Nullable Cell inChain(long spot) {
        Cell cell = chains[placeOf(spot)];
        while (cell != null && cell.spot != spot) {
            cell = cell.next;
        }
        return cell;
    }

    private void putIn(Cell cell) {
        int place = placeOf(cell.spot);
        cell.next = chains[place];
        chains[place] = cell;
    }

    /** Leaves the cell's own link as it is, for whoever is on the way along the chain. */
    private void takeOut(Cell gone) {
        int place = placeOf(gone.spot);
        Cell before = chains[place];
        if (before == gone) {
            chains[place] = gone.next;
        } else {
            while (before != null && before.next != gone) {
                before = before.next;
            }
            Objects.requireNonNull(before, "a cell is in its chain").next = gone.next;
        }
        inChains--;
    }

    private int placeOf(long spot) {
        return (int) (spot << CHOOSING_BITS >>> (Long.SIZE - bits));
    }
}
