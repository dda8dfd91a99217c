package dev.weir.rules.explain;

import dev.weir.limit.Limit;
import dev.weir.rules.Rule;
import dev.weir.rules.RuleSet;
import dev.weir.rules.Tree;
import dev.weir.words.Counted;
import dev.weir.words.Unseen;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** An explanation for people: what it is about on the left, and what there is to say of it beside. */
public final class ExplanationText {
    private static final int MOST_NEAR_MISSES = 5;
    private static final int LABEL_WIDTH = 13;

    /** Of a column: one long value shall not widen the lines of all others. */
    private static final int MOST_WIDTH = 60;

    private final Tree tree;
    private final BiFunction<Rule, Limit, List<Line>> counters;
    private final StringBuilder text = new StringBuilder();

    private ExplanationText(Tree tree, BiFunction<Rule, Limit, List<Line>> counters) {
        this.tree = tree;
        this.counters = counters;
    }

    /**
     * A line.
     *
     * @param label what it is about, at most twelve characters; empty for what goes on with the line before
     * @param words what there is to say
     */
    public record Line(String label, String words) {}

    /**
     * Returns the lines of an explanation.
     *
     * @param counters what is said of the counter of a limit, below it
     */
    public static String of(Tree tree, Explanation explanation, BiFunction<Rule, Limit, List<Line>> counters) {
        return new ExplanationText(tree, counters).of(explanation);
    }

    /** Returns the line on a domain that has no rules. */
    public static String withoutRules(RuleSet rules, String domain) {
        return Unseen.shown(
                        rules.domainNames().isEmpty()
                                ? "There are no rules at all."
                                : "There are no rules for the domain `" + domain
                                        + "`: every descriptor of it passes. The domains are: "
                                        + String.join(", ", rules.domainNames()))
                + "\n";
    }

    private String of(Explanation explanation) {
        line("domain", tree.domain());
        table("way", explanation.steps(), step -> RuleWords.entry(step.entry()), Explanation.Step::landing);
        var rule = explanation.rule();
        if (rule == null) {
            line("rule", "none: the descriptor passes, uncounted");
        } else {
            rule(rule);
        }
        nearMisses(explanation.nearMisses(), explanation.uncompared() == 0);
        if (explanation.uncompared() > 0) {
            line("", "not compared, as it takes too long: " + Counted.of(explanation.uncompared(), "rule"));
        }
        return text.toString();
    }

    private void rule(Rule rule) {
        line("rule", RuleWords.place(rule));
        RuleWords.switches(rule, tree.onStoreFailure()).forEach(words -> line("", words));
        var words = RuleWords.limits(rule);
        if (rule.isUnlimited()) {
            line("limit", words.getFirst());
        }
        for (int i = 0; i < rule.limits().size(); i++) {
            line("limit", words.get(i));
            counters.apply(rule, rule.limits().get(i).limit()).forEach(line -> line(line.label, line.words));
        }
    }

    private void nearMisses(List<NearMiss> misses, boolean areAllCompared) {
        var shown = misses.stream().limit(MOST_NEAR_MISSES).toList();
        table("near misses", shown, miss -> RuleWords.place(miss.rule()), NearMiss::reason);
        if (misses.isEmpty()) {
            line("near misses", areAllCompared ? "none" : "none among the rules that were compared");
        } else if (shown.size() < misses.size()) {
            line("", "and " + (misses.size() - shown.size()) + " more");
        }
    }

    private <T> void table(String label, List<T> rows, Function<T, String> left, Function<T, String> right) {
        var cells = rows.stream().map(left).map(Unseen::shown).toList();
        int width = Math.min(
                MOST_WIDTH, cells.stream().mapToInt(String::length).max().orElse(0));
        for (int i = 0; i < rows.size(); i++) {
            var cell = cells.get(i);
            line(
                    i == 0 ? label : "",
                    cell + " ".repeat(Math.max(0, width - cell.length()) + 2) + right.apply(rows.get(i)));
        }
    }

    private void line(String label, String words) {
        text.append(label)
                .append(" ".repeat(LABEL_WIDTH - label.length()))
                .append(Unseen.shown(words))
                .append('\n');
    }
}
