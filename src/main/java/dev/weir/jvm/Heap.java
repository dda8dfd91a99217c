package dev.weir.jvm;

/** What the heap of this process has room for. */
public final class Heap {
    /**
     * At two thirds of this, patterns that changed ended the process: old and new rules lie side by side for a while, and connections
     * and counters need room beside them.
     */
    private static final long BYTES_OF_A_DESCRIPTOR = 3 << 10;

    /** A file lies there as bytes and as text while its descriptors are made, and those in force beside them. */
    private static final long SHARE_OF_RULE_FILES = 16;

    private Heap() {}

    /** Returns how many descriptors the rules may hold. */
    public static long roomForDescriptors() {
        return Runtime.getRuntime().maxMemory() / BYTES_OF_A_DESCRIPTOR;
    }

    /** Returns how many bytes all rule files may have together. */
    public static long roomForRuleFiles() {
        return Runtime.getRuntime().maxMemory() / SHARE_OF_RULE_FILES;
    }
}
