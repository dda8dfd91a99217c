package dev.weir.rules;

import java.util.List;

/**
 * What names weigh, in descriptors. The path of each rule repeats the names that lead to it, so that one long name above many
 * rules fills any heap, however short the file.
 */
public final class NameWeight {
    private static final int BYTES_OF_A_DESCRIPTOR = 256;

    private NameWeight() {}

    /** Returns how many descriptors weigh as much as so many bytes of names. */
    public static long of(long bytes) {
        return bytes / BYTES_OF_A_DESCRIPTOR;
    }

    /** Returns the bytes of a name, as they are on the wire and about as many as in the heap. */
    public static long bytes(String name) {
        return name.chars().map(c -> c < 0x80 ? 1 : c < 0x800 ? 2 : 3).sum();
    }

    /**
     * Returns how many descriptors weigh as much as the names that lead to a node and to those below it, its own among them, counted
     * in each place. Of several limits each that has a name repeats them too: its metrics are called by them.
     *
     * <p>A short file may mean long names in very many places, so nobody looks at more of them than there is room for.
     *
     * @param above bytes of the names that lead to the node
     * @param most after which it does not matter any more how much more it is
     */
    public static long of(RuleNode node, long above, long most) {
        long names = above + bytes(node.key()) + bytes(node.value());
        long weight = of(names);
        var rateLimit = node.rateLimit();
        if (rateLimit != null && rateLimit.limits().size() > 1) {
            for (var limit : rateLimit.limits()) {
                weight += limit.name().isEmpty() ? 0 : of(names + bytes(limit.name()));
            }
        }
        return weight + of(node.children(), names, most - weight);
    }

    /** Does the same for nodes beside each other. */
    public static long of(List<RuleNode> nodes, long above, long most) {
        long weight = 0;
        for (int i = 0; i < nodes.size() && weight <= most; i++) {
            weight += of(nodes.get(i), above, most - weight);
        }
        return weight;
    }
}
