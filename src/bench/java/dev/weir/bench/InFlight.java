package dev.weir.bench;

import java.util.Arrays;

/**
 * The requests of one connection that are not answered yet, by the number of their stream.
 *
 * <p>A client's streams have odd numbers in a row, so a ring has a slot for each; it is full for a stream whose slot is
 * still taken by one that is a whole ring older.
 */
final class InFlight {
    private static final int SLOTS = 1 << 14;

    private final long[] starts = new long[SLOTS];
    private final byte[] codes = new byte[SLOTS];
    private final boolean[] taken = new boolean[SLOTS];
    private int size;

    /** Returns how many requests are under way. */
    int size() {
        return size;
    }

    boolean hasRoomFor(int streamId) {
        return !taken[slot(streamId)];
    }

    boolean has(int streamId) {
        return taken[slot(streamId)];
    }

    void start(int streamId, long startNanos) {
        int slot = slot(streamId);
        taken[slot] = true;
        starts[slot] = startNanos;
        codes[slot] = 0;
        size++;
    }

    /** Notes the code of the message that has come for a stream. */
    void code(int streamId, byte code) {
        codes[slot(streamId)] = code;
    }

    /** Returns the code of the message that has come for a stream, 0 if none has. */
    byte code(int streamId) {
        return codes[slot(streamId)];
    }

    /** Ends a stream and returns when its request was meant to start, in the nanoseconds of this JVM. */
    long end(int streamId) {
        int slot = slot(streamId);
        taken[slot] = false;
        size--;
        return starts[slot];
    }

    /** Forgets all requests: the connection is gone. */
    void clear() {
        Arrays.fill(taken, false);
        size = 0;
    }

    private static int slot(int streamId) {
        return (streamId >>> 1) & (SLOTS - 1);
    }
}
