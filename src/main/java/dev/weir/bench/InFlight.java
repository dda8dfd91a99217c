package dev.weir.bench;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The requests of one connection that are not answered yet, by the number of their stream.
 *
 * <p>A client's streams have odd numbers in a row, so a ring has a slot for each. For a stream whose slot is still taken by
 * one that is a whole ring older it grows, up to a bound: it begins small, because there may be thousands of connections with
 * few requests each. Beyond the bound the older stream is put aside, so that one that nobody answers keeps none from being
 * asked after it.
 */
final class InFlight {
    private static final int LEAST_SLOTS = 16;
    private static final int MOST_SLOTS = 1 << 14;
    private static final int FREE = 0;

    /** A service that leaves more than these unanswered, and newer ones too, is overrun. */
    private static final int MOST_ASIDE = MOST_SLOTS;

    /** A request whose slot was needed. */
    private record Aside(long start, byte said) {}

    private int[] streams = new int[LEAST_SLOTS];
    private long[] starts = new long[LEAST_SLOTS];
    private byte[] said = new byte[LEAST_SLOTS];
    private final TreeMap<Integer, Aside> aside = new TreeMap<>(); // all of them older than any in the ring
    private int oldest = 1;
    private int size;

    /** Returns how many requests are under way. */
    int size() {
        return size;
    }

    /** Returns whether the next stream finds its slot free, or can be given one. */
    boolean hasRoomFor(int streamId) {
        return streams[slot(streamId)] == FREE || streams.length < MOST_SLOTS || aside.size() < MOST_ASIDE;
    }

    /** Returns whether the stream is under way. */
    boolean has(int streamId) {
        return isInRing(streamId) || aside.containsKey(streamId);
    }

    private boolean isInRing(int streamId) {
        return streams[slot(streamId)] == streamId;
    }

    /** Returns the stream that is under way for the longest time; there must be one. */
    int oldest() {
        if (!aside.isEmpty()) {
            return aside.firstKey();
        }
        while (!isInRing(oldest)) {
            oldest += 2;
        }
        return oldest;
    }

    /** Begins the stream after the one that was begun last. */
    void start(int streamId, long startNanos) {
        while (streams[slot(streamId)] != FREE && streams.length < MOST_SLOTS) {
            grow();
        }
        int slot = slot(streamId);
        if (streams[slot] != FREE) {
            aside.put(streams[slot], new Aside(starts[slot], said[slot]));
        }
        streams[slot] = streamId;
        starts[slot] = startNanos;
        said[slot] = AnswerFrames.NOTHING;
        size++;
    }

    /** Streams that had slots of their own have so in a ring of twice the size. */
    private void grow() {
        int[] oldStreams = streams;
        long[] oldStarts = starts;
        byte[] oldSaid = said;
        streams = new int[oldStreams.length * 2];
        starts = new long[streams.length];
        said = new byte[streams.length];
        for (int i = 0; i < oldStreams.length; i++) {
            if (oldStreams[i] != FREE) {
                int slot = slot(oldStreams[i]);
                streams[slot] = oldStreams[i];
                starts[slot] = oldStarts[i];
                said[slot] = oldSaid[i];
            }
        }
    }

    /** Returns when the request was meant to start, in the nanoseconds of this JVM. */
    long startOf(int streamId) {
        return isInRing(streamId) ? starts[slot(streamId)] : besides(streamId).start();
    }

    /** Takes another part of a stream's message, if it is still under way. */
    void hear(int streamId, ByteBuf part) {
        if (has(streamId)) {
            said(streamId, AnswerFrames.said(said(streamId), part));
        }
    }

    /** Notes what the frames of a stream have said, as {@link AnswerFrames#said} has it. */
    void said(int streamId, byte what) {
        if (isInRing(streamId)) {
            said[slot(streamId)] = what;
        } else {
            aside.put(streamId, new Aside(startOf(streamId), what));
        }
    }

    /** Returns what the frames of a stream have said, nothing at first. */
    byte said(int streamId) {
        return isInRing(streamId) ? said[slot(streamId)] : besides(streamId).said();
    }

    private Aside besides(int streamId) {
        return Objects.requireNonNull(aside.get(streamId), "only a stream that is under way may be asked for");
    }

    /** Ends a stream. */
    void end(int streamId) {
        if (isInRing(streamId)) {
            streams[slot(streamId)] = FREE;
        } else {
            aside.remove(streamId);
        }
        size--;
    }

    /** Lets all streams from {@code newest} down to the one after {@code last} wait again. */
    void giveBack(int newest, int last, Waiting waiting) {
        for (int id = newest; size > 0 && id > last && id >= oldest(); id -= 2) {
            if (has(id)) {
                waiting.putBack(startOf(id));
                end(id);
            }
        }
    }

    /** Forgets all requests, as the connection is gone, and returns how many they were. */
    int clear() {
        int forgotten = size;
        Arrays.fill(streams, FREE);
        aside.clear();
        size = 0;
        return forgotten;
    }

    private int slot(int streamId) {
        return (streamId >>> 1) & (streams.length - 1);
    }
}
