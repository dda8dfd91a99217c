package dev.weir.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Where a store keeps a counter: bytes in which no value can pretend to be structure. The array belongs to the key and is
 * never written again.
 */
public final class CounterKey implements Comparable<CounterKey> {
    private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L; // 2^64 by the golden ratio
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes;
    private final long hash;
    private final int place;

    /**
     * Creates a key.
     *
     * @param bytes identity of the descriptor, then algorithm and window; handed over, not copied
     * @param identityLength how many of the bytes are the identity: all limits of one descriptor live in one place
     */
    public CounterKey(byte[] bytes, int identityLength) {
        this.bytes = bytes;
        long identity = hash(identityLength, bytes, 0, identityLength);
        this.place = (int) (identity >>> Integer.SIZE);
        this.hash = hash(identity, bytes, identityLength, bytes.length);
    }

    /** Returns the bytes; not to be written. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns a well-mixed number of the counter's identity, the same in every process: it picks the hash tag. */
    public int place() {
        return place;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CounterKey key && hash == key.hash && Arrays.equals(bytes, key.bytes);
    }

    /** Returns a well-mixed number of the whole key, the same in every process. */
    public long hash() {
        return hash;
    }

    @Override
    public int hashCode() {
        return (int) (hash >>> Integer.SIZE);
    }

    /** Orders by bytes: callers choose values, and keys made to share one hash still cost a map only their logarithm. */
    @Override
    public int compareTo(CounterKey other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    /** Eight bytes at a time, each eight spread by a multiplication, as the fast hash functions do. */
    private static long hash(long start, byte[] bytes, int from, int to) {
        long hash = start * FACTOR;
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            hash = spread(hash ^ (long) LONGS.get(bytes, at));
        }
        long rest = 1;
        for (; at < to; at++) {
            rest = rest << Byte.SIZE | Byte.toUnsignedInt(bytes[at]);
        }
        return spread(spread(hash ^ rest));
    }

    private static long spread(long value) {
        long product = value * FACTOR;
        return product ^ product >>> Integer.SIZE; // the upper half is mixed best, and takes the lower one along
    }
}
