package dev.weir.bench;

/**
 * The requests of one connection that the service does not take yet, by when they were meant to start: the oldest first.
 * Belongs to the thread of the event loop.
 */
final class Waiting {
    private static final int LEAST_SLOTS = 16;

    /** A stall of one connection after another shall not leave each with a ring of all places. */
    private static final int MOST_EMPTY_SLOTS = 1 << 10;

    /** How many may wait on all connections together. */
    static final class Places {
        private int free;

        Places(int all) {
            free = all;
        }
    }

    private final Places places;
    private long[] starts = new long[LEAST_SLOTS];
    private int first;
    private int size;

    Waiting(Places places) {
        this.places = places;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** Returns when the oldest was meant to start; there must be one. */
    long oldest() {
        return starts[first];
    }

    /** Lets one more wait, and returns true; or false if no place is free. */
    boolean add(long startNanos) {
        if (places.free <= 0) {
            return false;
        }
        makeRoom();
        starts[(first + size) & (starts.length - 1)] = startNanos;
        size++;
        return true;
    }

    /** Lets one wait that is older than all others. It was sent already, and so has a place even where none is free. */
    void putBack(long startNanos) {
        makeRoom();
        first = (first - 1) & (starts.length - 1);
        starts[first] = startNanos;
        size++;
    }

    private void makeRoom() {
        places.free--;
        if (size == starts.length) {
            long[] more = new long[starts.length * 2];
            System.arraycopy(starts, first, more, 0, size - first);
            System.arraycopy(starts, 0, more, size - first, first);
            starts = more;
            first = 0;
        }
    }

    /** Takes the oldest; there must be one. */
    long take() {
        long oldest = starts[first];
        first = (first + 1) & (starts.length - 1);
        size--;
        places.free++;
        if (size == 0 && starts.length > MOST_EMPTY_SLOTS) {
            starts = new long[LEAST_SLOTS];
            first = 0;
        }
        return oldest;
    }

    /** Forgets all, and returns how many they were. */
    int clear() {
        int forgotten = size;
        places.free += size;
        size = 0;
        return forgotten;
    }
}
