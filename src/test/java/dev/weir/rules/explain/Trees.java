package dev.weir.rules.explain;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.rules.Domain;
import dev.weir.rules.RateLimit;
import dev.weir.rules.RuleNode;
import dev.weir.rules.RuleNode.Flags;
import dev.weir.rules.RuleSet;
import dev.weir.rules.Tree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Trees and descriptors in short. */
final class Trees {
    private static final RateLimit FIVE_A_SECOND = RateLimit.of(Limit.fixedWindow(Quota.per(Unit.SECOND, 5)));

    private Trees() {}

    /**
     * The tree in which these places have a rule: {@code tier=free,user}, in file order. One with a {@code !} at its end is
     * there without a rule.
     */
    static Tree of(List<String> places) {
        return of(Domain.of("shop", nodes(places)));
    }

    static Tree of(Domain domain) {
        var tree = RuleSet.of(List.of(domain)).domain(domain.name());
        if (tree == null) {
            throw new AssertionError("the domain is lost");
        }
        return tree;
    }

    private static List<RuleNode> nodes(List<String> places) {
        Map<String, List<String>> below = new LinkedHashMap<>();
        for (var place : places) {
            int comma = place.indexOf(',');
            var first = comma < 0 ? place.replace("!", "") : place.substring(0, comma);
            var rest = below.computeIfAbsent(first, _ -> new ArrayList<>());
            if (comma >= 0) {
                rest.add(place.substring(comma + 1));
            }
        }
        return below.entrySet().stream()
                .map(node -> {
                    var entry = entry(node.getKey());
                    var limit = places.contains(node.getKey()) ? FIVE_A_SECOND : null;
                    return new RuleNode(
                            entry.key(), entry.value(), limit, Flags.NONE, Map.of(), nodes(node.getValue()));
                })
                .toList();
    }

    static Descriptor descriptor(String entries) {
        return Descriptor.of(
                Arrays.stream(entries.split(",", -1)).map(Trees::entry).toArray(Entry[]::new));
    }

    private static Entry entry(String text) {
        var parts = text.split("=", 2);
        return new Entry(parts[0], parts.length == 1 ? "" : parts[1]);
    }
}
