package dev.weir.store;

import java.util.Arrays;

/**
 * Where a store keeps a counter: bytes in which no value can pretend to be structure. The array belongs to the key and is
 * never written again.
 */
public final class CounterKey implements Comparable<CounterKey> {
    private final byte[] bytes;
    private final int hash;
    private final int place;

    /**
     * Creates a key.
     *
     * @param bytes identity of the descriptor, then algorithm and window; handed over, not copied
     * @param identityLength how many of the bytes are the identity: all limits of one descriptor live in one place
     */
    public CounterKey(byte[] bytes, int identityLength) {
        this.bytes = bytes;
        int identity = hash(1, bytes, 0, identityLength);
        this.place = spread(identity);
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

    @Override
    public int hashCode() {
        return hash;
    }

    /** Orders by bytes: callers choose values, and keys made to share one hash still cost a map only their logarithm. */
    @Override
    public int compareTo(CounterKey other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    private static int hash(int start, byte[] bytes, int from, int to) {
        int hash = start;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + bytes[i];
        }
        return hash;
    }

    /** The finalizer of MurmurHash3: the low bits of a polynomial hash alone would follow the last bytes. */
    private static int spread(int hash) {
        int mixed = (hash ^ hash >>> 16) * 0x85EB_CA6B;
        mixed = (mixed ^ mixed >>> 13) * 0xC2B2_AE35;
        return mixed ^ mixed >>> 16;
    }
}
