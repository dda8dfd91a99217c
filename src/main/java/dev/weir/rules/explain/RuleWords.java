package dev.weir.rules.explain;

import dev.weir.limit.FailurePolicy;
import dev.weir.limit.Limit;
import dev.weir.request.Entry;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.Rule;
import dev.weir.rules.Rule.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A rule in words. */
public final class RuleWords {
    private RuleWords() {}

    /** Returns where the rule stands, written like a descriptor: {@code tier=free,user}. */
    public static String place(Rule rule) {
        return nodes(rule.levels());
    }

    static String nodes(List<Level> levels) {
        return levels.stream().map(RuleWords::node).collect(Collectors.joining(","));
    }

    static String entries(List<Entry> entries) {
        return entries.stream().map(RuleWords::entry).collect(Collectors.joining(","));
    }

    /** Returns an entry as it is typed. */
    public static String entry(Entry entry) {
        return entry.key() + "=" + entry.value();
    }

    /** Returns a node, written like an entry; a bare key stands alone. */
    static String node(Level level) {
        return level.isBare() ? level.key() : level.key() + "=" + level.value();
    }

    /** Returns a line for each limit, or the one that says that there is none. */
    public static List<String> limits(Rule rule) {
        return rule.isUnlimited()
                ? List.of("unlimited: everything passes uncounted")
                : rule.limits().stream().map(limit -> limit(rule, limit)).toList();
    }

    private static String limit(Rule rule, NamedLimit named) {
        return (named.name().isEmpty() ? "" : named.name() + ": ") + LimitWords.of(inForce(rule, named.limit()));
    }

    /** Returns a limit of the rule as it is asked: a rule that refuses nothing locks nothing. */
    public static Limit inForce(Rule rule, Limit limit) {
        return rule.flags().shadowMode() ? limit.withoutLock() : limit;
    }

    /**
     * Returns a line for each switch that makes the rule other than most.
     *
     * @param onStoreFailure what the rule's domain says of a failing store, or null
     */
    public static List<String> switches(Rule rule, @Nullable FailurePolicy onStoreFailure) {
        List<String> lines = new ArrayList<>();
        if (rule.flags().shadowMode()) {
            lines.add("shadow: refuses nothing");
        }
        if (rule.flags().quotaMode()) {
            lines.add("quota mode: refuses only where all quota descriptors of a request are over");
        }
        if (rule.flags().onStoreFailure() != null) {
            lines.add("when the store fails: " + rule.flags().onStoreFailure().word());
        } else if (onStoreFailure != null && !rule.isUnlimited()) {
            lines.add("when the store fails: " + onStoreFailure.word() + ", as its domain says");
        }
        if (!rule.replaces().isEmpty()) {
            lines.add("replaces in the same request: " + String.join(", ", rule.replaces()));
        }
        return lines;
    }
}
