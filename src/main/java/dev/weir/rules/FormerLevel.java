package dev.weir.rules;

import org.jspecify.annotations.Nullable;

/**
 * One level of the rules that are in force while others are read. Who reads takes from it what did not change: equal nodes
 * need not be made and kept twice.
 */
public final class FormerLevel {
    /** There is nothing from before. */
    public static final FormerLevel NONE = new FormerLevel(null);

    private final @Nullable Node node;

    private FormerLevel(@Nullable Node node) {
        this.node = node;
    }

    static FormerLevel below(@Nullable Node node) {
        return node == null ? NONE : new FormerLevel(node);
    }

    /** Returns the level below the node with this key and value, as they are written. */
    public FormerLevel below(String key, String value) {
        return below(writtenAs(key, value));
    }

    /** Returns the node from before if it says the same as this one, else this one. */
    public RuleNode same(RuleNode read) {
        Node former = writtenAs(read.key(), read.value());
        return former != null && former.origin().source().equals(read)
                ? former.origin().source()
                : read;
    }

    private @Nullable Node writtenAs(String key, String value) {
        return node == null ? null : node.writtenAs(key, value);
    }
}
