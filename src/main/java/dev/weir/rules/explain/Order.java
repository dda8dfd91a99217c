package dev.weir.rules.explain;

import dev.weir.request.Entry;
import dev.weir.rules.Rule.Level;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the order in which entries fit the nodes down to a rule, if there is one: a matching in a bipartite graph, found by
 * augmenting paths, so that many entries with one key do not have to be tried in every order.
 */
final class Order {
    private static final int NONE = -1;

    private final List<Entry> entries;
    private final List<Level> levels;
    private final int[] entryOfLevel;

    private Order(List<Entry> entries, List<Level> levels) {
        this.entries = entries;
        this.levels = levels;
        this.entryOfLevel = new int[levels.size()];
        Arrays.fill(entryOfLevel, NONE);
    }

    /** Returns all entries in an order in which each fits its node, or null if there is none. */
    static @Nullable List<Entry> of(List<Entry> entries, List<Level> levels) {
        var order = new Order(entries, levels);
        for (int entry = 0; entry < entries.size(); entry++) {
            if (!order.place(entry, new boolean[levels.size()])) {
                return null;
            }
        }
        return Arrays.stream(order.entryOfLevel).mapToObj(entries::get).toList();
    }

    /** Gives the entry a node; one that is taken moves on if it can. */
    private boolean place(int entry, boolean[] tried) {
        for (int level = 0; level < tried.length; level++) {
            if (!tried[level] && levels.get(level).fits(entries.get(entry))) {
                tried[level] = true;
                if (entryOfLevel[level] == NONE || place(entryOfLevel[level], tried)) {
                    entryOfLevel[level] = entry;
                    return true;
                }
            }
        }
        return false;
    }
}
