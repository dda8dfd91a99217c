package dev.weir.cli;

import dev.weir.decide.key.KeyReader;
import dev.weir.decide.key.KeyWriter;
import dev.weir.limit.Limit;
import dev.weir.request.Descriptor;
import dev.weir.rules.Rule;
import dev.weir.rules.Tree;
import dev.weir.rules.explain.Explanation;
import dev.weir.rules.explain.NearMiss;
import dev.weir.rules.explain.RuleWords;
import dev.weir.settings.redis.RedisSettings;
import dev.weir.store.redis.HashTags;
import dev.weir.words.Unseen;
import java.util.List;
import java.util.function.Function;

/** An explanation for people: what it is about on the left, and what there is to say of it beside. */
final class ExplanationText {
    private static final int MOST_NEAR_MISSES = 5;
    private static final int LABEL_WIDTH = 13;

    private final Tree tree;
    private final Descriptor descriptor;
    private final HashTags tags;
    private final boolean isPerSecondApart;
    private final StringBuilder text = new StringBuilder();

    ExplanationText(Tree tree, Descriptor descriptor, RedisSettings.Keys keys) {
        this.tree = tree;
        this.descriptor = descriptor;
        this.tags = new HashTags(keys.prefix(), keys.hashTags());
        this.isPerSecondApart = keys.isPerSecondApart();
    }

    String of(Explanation explanation) {
        line("domain", tree.domain());
        table("way", explanation.steps(), step -> RuleWords.entry(step.entry()), Explanation.Step::landing);
        var rule = explanation.rule();
        if (rule == null) {
            line("rule", "none: the descriptor passes, uncounted");
        } else {
            rule(rule);
        }
        nearMisses(explanation.nearMisses());
        return text.append("\nNothing was counted.\n").toString();
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
            key(rule, rule.limits().get(i).limit());
        }
    }

    private void key(Rule rule, Limit limit) {
        var key = KeyWriter.write(tree.domain(), descriptor, rule, limit, tree.isAtomic());
        var parts = KeyReader.read(key);
        line(
                "  counter",
                parts.domain() + "; " + String.join("; ", parts.entries()) + "; algorithm " + parts.algorithm()
                        + "; window " + parts.windowSeconds() + " s"
                        + (parts.windowParts() == 1 ? "" : " in " + parts.windowParts() + " parts"));
        var redisKey = tags.redisKey(key);
        line("  in Redis", QuotedBytes.of(redisKey));
        if (RuleWords.inForce(rule, limit).blockSeconds() > 0) {
            line("  its lock", QuotedBytes.of(HashTags.lockKey(redisKey)));
        }
        if (isPerSecondApart && limit.quota().windowSeconds() == 1) {
            line("", "in the Redis of REDIS_PERSECOND_URL");
        }
    }

    private void nearMisses(List<NearMiss> misses) {
        var shown = misses.stream().limit(MOST_NEAR_MISSES).toList();
        table("near misses", shown, miss -> RuleWords.place(miss.rule()), NearMiss::reason);
        if (misses.isEmpty()) {
            line("near misses", "none");
        } else if (shown.size() < misses.size()) {
            line("", "and " + (misses.size() - shown.size()) + " more");
        }
    }

    private <T> void table(String label, List<T> rows, Function<T, String> left, Function<T, String> right) {
        var cells = rows.stream().map(left).map(Unseen::shown).toList();
        int width = cells.stream().mapToInt(String::length).max().orElse(0);
        for (int i = 0; i < rows.size(); i++) {
            var cell = cells.get(i);
            line(i == 0 ? label : "", cell + " ".repeat(width - cell.length() + 2) + right.apply(rows.get(i)));
        }
    }

    private void line(String label, String words) {
        text.append(label)
                .append(" ".repeat(LABEL_WIDTH - label.length()))
                .append(Unseen.shown(words))
                .append('\n');
    }
}
