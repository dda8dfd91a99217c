package dev.weir.cli;

import dev.weir.decide.key.KeyReader;
import dev.weir.decide.key.KeyWriter;
import dev.weir.limit.Limit;
import dev.weir.request.Descriptor;
import dev.weir.rules.Rule;
import dev.weir.rules.Tree;
import dev.weir.rules.explain.ExplanationText.Line;
import dev.weir.rules.explain.RuleWords;
import dev.weir.settings.redis.RedisSettings;
import dev.weir.store.redis.HashTags;
import java.util.ArrayList;
import java.util.List;

/** What its counters are called, in words and in Redis, where a descriptor has a rule. */
final class CounterLines {
    private final Tree tree;
    private final Descriptor descriptor;
    private final HashTags tags;
    private final boolean isPerSecondApart;

    CounterLines(Tree tree, Descriptor descriptor, RedisSettings.Keys keys) {
        this.tree = tree;
        this.descriptor = descriptor;
        this.tags = new HashTags(keys.prefix(), keys.hashTags());
        this.isPerSecondApart = keys.isPerSecondApart();
    }

    List<Line> of(Rule rule, Limit limit) {
        var key = KeyWriter.write(tree.domain(), descriptor, rule, limit, tree.isAtomic());
        var parts = KeyReader.read(key);
        var redisKey = tags.redisKey(key);
        List<Line> lines = new ArrayList<>();
        lines.add(new Line(
                "  counter",
                parts.domain() + "; " + String.join("; ", parts.entries()) + "; algorithm " + parts.algorithm()
                        + "; window " + parts.windowSeconds() + " s"
                        + (parts.windowParts() == 1 ? "" : " in " + parts.windowParts() + " parts")));
        lines.add(new Line("  in Redis", QuotedBytes.of(redisKey)));
        if (RuleWords.inForce(rule, limit).blockSeconds() > 0) {
            lines.add(new Line("  its lock", QuotedBytes.of(HashTags.lockKey(redisKey))));
        }
        if (isPerSecondApart && limit.quota().windowSeconds() == 1) {
            lines.add(new Line("", "in the Redis of REDIS_PERSECOND_URL"));
        }
        return lines;
    }
}
