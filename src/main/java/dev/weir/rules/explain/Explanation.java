package dev.weir.rules.explain;

import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.rules.Rule;
import dev.weir.rules.Rule.Level;
import dev.weir.rules.Tree;
import dev.weir.rules.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Why a descriptor lands on one rule and on no other. Nothing is counted for it.
 *
 * @param steps what became of each entry, in the descriptor's order
 * @param rule the rule on which the descriptor lands, or null if there is none and it passes
 * @param nearMisses other rules that come near, the nearest first; all of them
 * @param uncompared how many rules were not compared, and may come near too
 */
public record Explanation(List<Step> steps, @Nullable Rule rule, List<NearMiss> nearMisses, int uncompared) {
    private static final int MOST_NAMES = 5;

    public Explanation {
        steps = List.copyOf(steps);
        nearMisses = List.copyOf(nearMisses);
    }

    /**
     * One step down the tree.
     *
     * @param entry the entry
     * @param landing the node on which it lands and why, or why it lands on none
     */
    public record Step(Entry entry, String landing) {}

    /** Explains what {@link Tree#match} does with the descriptor. */
    public static Explanation of(Tree tree, Descriptor descriptor) {
        return of(tree, descriptor, () -> true);
    }

    /**
     * Explains it to somebody who does not wait for ever.
     *
     * @param goesOn is asked before each rule whether it is to be compared with the descriptor, and all after it
     */
    public static Explanation of(Tree tree, Descriptor descriptor, BooleanSupplier goesOn) {
        var way = tree.way(descriptor);
        var near = NearMisses.of(tree, descriptor, way, goesOn);
        return new Explanation(steps(descriptor.entries(), way), way.rule(), near.misses(), near.uncompared());
    }

    private static List<Step> steps(List<Entry> entries, Way way) {
        List<Step> steps = new ArrayList<>();
        int landed = way.landed().size();
        for (var entry : entries) {
            int level = steps.size();
            String landing = level < landed
                    ? landed(way.landed().get(level), entry)
                    : level == landed ? nowhere(entry, way.below()) : "not looked at";
            boolean isEnd = level == entries.size() - 1 && landed == entries.size();
            steps.add(new Step(entry, isEnd && way.rule() == null ? landing + "; it has no limit" : landing));
        }
        return steps;
    }

    private static String landed(Level level, Entry entry) {
        return switch (Landing.of(level, entry)) {
            case EXACT -> "the exact value";
            case PATTERN ->
                "the pattern `" + level.value() + "`"
                        + (level.flags().shareThreshold() ? ", whose values share one counter" : "");
            case BARE -> "the bare key `" + level.key() + "`: any value";
        };
    }

    private static String nowhere(Entry entry, List<Level> below) {
        if (below.isEmpty()) {
            return "nowhere: the rules go no deeper here";
        }
        var siblings = below.stream()
                .filter(level -> level.key().equals(entry.key()))
                .map(Level::value)
                .toList();
        return siblings.isEmpty()
                ? "nowhere: no key `" + entry.key() + "` here, but "
                        + names(below.stream().map(Level::key).distinct().toList())
                : "nowhere: no such value here, but " + names(siblings);
    }

    private static String names(List<String> names) {
        return names.stream().limit(MOST_NAMES).collect(Collectors.joining("`, `", "`", "`"))
                + (names.size() > MOST_NAMES ? " and " + (names.size() - MOST_NAMES) + " more" : "");
    }
}
