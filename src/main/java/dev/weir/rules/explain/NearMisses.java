package dev.weir.rules.explain;

import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.rules.Rule;
import dev.weir.rules.Rule.Level;
import dev.weir.rules.Tree;
import dev.weir.rules.Way;
import dev.weir.rules.explain.NearMiss.OtherKey;
import dev.weir.rules.explain.NearMiss.OtherOrder;
import dev.weir.rules.explain.NearMiss.OtherSpelling;
import dev.weir.rules.explain.NearMiss.OtherValue;
import dev.weir.rules.explain.NearMiss.Outranked;
import dev.weir.rules.explain.NearMiss.TooFew;
import dev.weir.rules.explain.NearMiss.TooMany;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rules that a descriptor nearly lands on, by comparing it with every rule of its domain.
 *
 * <p>A rule with one difference is a near miss only if the descriptor without that difference would land on it: that is
 * tried, with the tree itself. So nobody is sent to a rule that another one hides. What is tried for a pattern or a bare
 * key has a letter of no language in place of any characters.
 *
 * <p>Where the descriptor has its rule, only those are told that could be expected in its place: rules that fit too, and
 * those that a slip of the pen missed.
 */
final class NearMisses {
    // Of the private use area: no value of a rule has it, and only a star fits it.
    private static final String FOREIGN = "\uE000";

    private final Tree tree;
    private final List<Entry> entries;
    private final Way way;

    private NearMisses(Tree tree, List<Entry> entries, Way way) {
        this.tree = tree;
        this.entries = entries;
        this.way = way;
    }

    /**
     * Returns them.
     *
     * @param goesOn is asked before each rule whether it is to be compared, and all after it
     */
    static Found of(Tree tree, Descriptor descriptor, Way way, BooleanSupplier goesOn) {
        var search = new NearMisses(tree, descriptor.entries(), way);
        var rules = tree.rules();
        List<NearMiss> misses = new ArrayList<>();
        int compared = 0;
        while (compared < rules.size() && goesOn.getAsBoolean()) {
            Rule rule = rules.get(compared++);
            NearMiss miss = rule == way.rule() ? null : search.compare(rule);
            if (miss != null) {
                misses.add(miss);
            }
        }
        misses.sort(Comparator.comparingInt(NearMisses::rank).thenComparingInt(NearMisses::distance));
        return new Found(misses, rules.size() - compared);
    }

    /**
     * What was found.
     *
     * @param misses the nearest first; equally near ones in file order
     * @param uncompared how many rules were not compared
     */
    record Found(List<NearMiss> misses, int uncompared) {}

    private @Nullable NearMiss compare(Rule rule) {
        int more = rule.levels().size() - entries.size();
        if (more == 0) {
            return compareInOrder(rule);
        }
        if (way.rule() != null) {
            return null;
        }
        return more > 0 ? tooFew(rule) : tooMany(rule);
    }

    private @Nullable NearMiss compareInOrder(Rule rule) {
        var levels = rule.levels();
        int[] misfits = IntStream.range(0, entries.size())
                .filter(i -> !levels.get(i).fits(entries.get(i)))
                .toArray();
        if (misfits.length == 0) {
            return outranked(rule);
        }
        if (misfits.length == 1) {
            return otherEntry(rule, misfits[0]);
        }
        return way.rule() == null ? otherOrder(rule) : null;
    }

    private NearMiss outranked(Rule rule) {
        var levels = rule.levels();
        int i = 0;
        while (levels.get(i).equals(way.landed().get(i))) {
            i++;
        }
        return new Outranked(rule, levels.get(i), way.landed().get(i), entries.get(i), i == levels.size() - 1);
    }

    private @Nullable NearMiss otherEntry(Rule rule, int i) {
        Level level = rule.levels().get(i);
        Entry entry = entries.get(i);
        List<Entry> mended = new ArrayList<>(entries);
        mended.set(i, new Entry(level.key(), level.fits(entry.value()) ? entry.value() : anyFor(level)));
        if (!landsOn(rule, mended)) {
            return null;
        }
        if (Spelling.isNear(level, entry) && !endsOnExactly(entry, i)) {
            return new OtherSpelling(rule, level, entry);
        }
        if (way.rule() != null) {
            return null;
        }
        if (level.key().equals(entry.key())) {
            return endsOnExactly(entry, i) ? null : new OtherValue(rule, level, entry);
        }
        // A node for any value says nothing by fitting this one; then the other entries must.
        boolean isTelling = level.value().equals(entry.value()) || entries.size() > 1;
        return isTelling && level.fits(entry.value()) ? new OtherKey(rule, level, entry) : null;
    }

    /** Returns whether every entry found a node, and this one the node that has its very value: it was not mistaken. */
    private boolean endsOnExactly(Entry entry, int i) {
        return way.landed().size() == entries.size() && Landing.of(way.landed().get(i), entry) == Landing.EXACT;
    }

    private @Nullable NearMiss otherOrder(Rule rule) {
        var order = Order.of(entries, rule.levels());
        return order != null && landsOn(rule, order) ? new OtherOrder(rule, order) : null;
    }

    private @Nullable NearMiss tooFew(Rule rule) {
        List<Level> missing = new ArrayList<>();
        List<Entry> mended = new ArrayList<>();
        int next = 0;
        for (var level : rule.levels()) {
            if (next < entries.size() && level.fits(entries.get(next))) {
                mended.add(entries.get(next++));
            } else {
                missing.add(level);
                mended.add(new Entry(level.key(), anyFor(level)));
            }
        }
        return next == entries.size() && landsOn(rule, mended) ? new TooFew(rule, missing) : null;
    }

    private @Nullable NearMiss tooMany(Rule rule) {
        List<Entry> extra = new ArrayList<>();
        List<Entry> mended = new ArrayList<>();
        for (var entry : entries) {
            int next = mended.size();
            boolean fits =
                    next < rule.levels().size() && rule.levels().get(next).fits(entry);
            (fits ? mended : extra).add(entry);
        }
        return landsOn(rule, mended) ? new TooMany(rule, extra) : null;
    }

    /**
     * Entries that were not changed land where they did before, so that only the rest is matched: to match all of them for each rule
     * would take minutes where there are thousands of patterns.
     */
    private boolean landsOn(Rule rule, List<Entry> mended) {
        var landed = way.landed();
        int same = 0;
        while (same < landed.size() && same < mended.size() && mended.get(same).equals(entries.get(same))) {
            if (!landed.get(same).equals(rule.levels().get(same))) {
                return false;
            }
            same++;
        }
        return tree.match(landed.subList(0, same), mended) == rule;
    }

    /** What the node fits, and another node that goes before it only if that one fits all that this one does. */
    private static String anyFor(Level level) {
        return level.isBare() ? FOREIGN : level.value().replace("*", FOREIGN);
    }

    private static int rank(NearMiss miss) {
        return switch (miss) {
            case Outranked _ -> 0;
            case OtherSpelling _ -> 1;
            case OtherOrder _ -> 2;
            case TooFew _, TooMany _ -> 3;
            case OtherKey near -> near.level().value().equals(near.entry().value()) ? 4 : 6;
            case OtherValue _ -> 5;
        };
    }

    private static int distance(NearMiss miss) {
        return switch (miss) {
            case Outranked _, OtherSpelling _, OtherOrder _, OtherKey _ -> 0;
            case TooFew few -> few.missing().size();
            case TooMany many -> many.extra().size();
            case OtherValue other ->
                -commonStart(other.level().value(), other.entry().value());
        };
    }

    private static int commonStart(String one, String other) {
        int length = Math.min(one.length(), other.length());
        int i = 0;
        while (i < length && one.charAt(i) == other.charAt(i)) {
            i++;
        }
        return i;
    }
}
