package dev.weir.jvm;

/** What the heap of this process has room for. */
public final class Heap {
    /**
     * At two thirds of this, patterns that changed ended the process: old and new rules lie side by side for a while, and connections
     * and counters need room beside them.
     */
    private static final long BYTES_OF_A_DESCRIPTOR = 3 << 10;

    private Heap() {}

    /** Returns how many descriptors the rules may hold. */
    public static long roomForDescriptors() {
        return Runtime.getRuntime().maxMemory() / BYTES_OF_A_DESCRIPTOR;
    }
}
