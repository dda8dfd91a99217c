package dev.weir.rules.yaml;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads every node once, however many aliases lead to it: reading stays linear in the length of the file, and what is
 * aliased is shared. What has no anchor is met once anyway, and is not remembered. Notices a node that contains
 * itself.
 */
final class Once<T> {
    /** Levels inside of each other: well above the 32 entries of a request, well below the depth of a stack. */
    private static final int MAX_DEPTH = 100;

    private final Report report;
    private final IdentityHashMap<Node, T> done = new IdentityHashMap<>();
    private final Set<Node> open = Collections.newSetFromMap(new IdentityHashMap<>());

    Once(Report report) {
        this.report = report;
    }

    /**
     * Returns what the node says.
     *
     * @param instead taken where the node contains itself or lies too deep; the mistake is reported
     * @param reading reads the node, the first time
     */
    T read(Node node, T instead, Supplier<T> reading) {
        T known = done.get(node);
        if (known != null) {
            return known;
        }
        if (open.contains(node)) {
            report.mistake(node, "the anchor here contains an alias of itself; write the inner part out");
            return instead;
        }
        if (open.size() == MAX_DEPTH) {
            report.mistake(node, "nested deeper than " + MAX_DEPTH + " levels; write a flatter tree");
            return instead;
        }
        open.add(node);
        T result = reading.get();
        open.remove(node);
        if (node.isShared()) {
            done.put(node, result);
        }
        return result;
    }

    /** Counts one more level as open from now on: a list that is read element by element, to the end of the file. */
    void enter(Node level) {
        open.add(level);
    }

    /**
     * Something read, and how much it comes to when every alias in it is written out.
     *
     * @param value what was read
     * @param size descriptors, each for four, and pieces of metadata in it, counted again for each alias; at most {@link #MOST}
     */
    record Sized<T extends @Nullable Object>(T value, long size) {
        /** Where counting ends: a few lines of nested aliases reach numbers that no long can hold. */
        static final long MOST = 1L << 40;

        static long sum(long one, long other) {
            return Math.min(MOST, one + other);
        }
    }
}
