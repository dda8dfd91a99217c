package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The compiled tree finds what a plain walk over the written one finds. */
final class MatchingLawTest {
    private static final String[] KEYS = {"path", "user", "ünï", "a_b"};
    private static final String[] PIECES = {"", "a", "b", "ab", "*", "**", "ü", "𝄞", "/", "_", "aa"};

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void compiled_rules_match_as_the_written_ones_do(long seed) {
        var random = new SplittableRandom(seed);
        for (int i = 0; i < 200; i++) {
            var nodes = siblings(random, 3);
            var tree = Rules.tree(nodes.toArray(RuleNode[]::new));
            for (int j = 0; j < 100; j++) {
                var descriptor = descriptor(random);
                var found = tree.match(descriptor);
                assertThat(found == null ? "none" : found.path())
                        .as("seed %d, tree %d, %s in %s", seed, i, descriptor, nodes)
                        .isEqualTo(naive(nodes, descriptor));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void the_way_that_is_told_is_the_way_that_is_taken(long seed) {
        var random = new SplittableRandom(seed);
        int rules = 0;
        for (int i = 0; i < 200; i++) {
            var tree = Rules.tree(siblings(random, 3).toArray(RuleNode[]::new));
            for (int j = 0; j < 100; j++) {
                var descriptor = descriptor(random);
                var way = tree.way(descriptor);
                var entries = descriptor.entries();
                assertThat(way.rule())
                        .as("seed %d, tree %d, %s", seed, i, descriptor)
                        .isSameAs(tree.match(descriptor));
                for (int k = 0; k < way.landed().size(); k++) {
                    assertThat(way.landed().get(k).fits(entries.get(k)))
                            .as("seed %d, tree %d, %s lands on %s", seed, i, entries.get(k), way.landed())
                            .isTrue();
                }
                if (way.rule() != null) {
                    rules++;
                    assertThat(way.landed()).isEqualTo(way.rule().levels());
                } else if (way.landed().size() < entries.size()) {
                    var lost = entries.get(way.landed().size());
                    assertThat(way.below())
                            .as("seed %d, tree %d, %s found no place", seed, i, lost)
                            .noneMatch(level -> level.fits(lost));
                }
            }
        }
        assertThat(rules).as("seed %d: rules that were met", seed).isGreaterThan(1_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void many_patterns_of_one_key_keep_file_order(long seed) {
        var random = new SplittableRandom(seed);
        List<RuleNode> nodes = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 2_000; i++) {
            String value = text(random, 3) + text(random, 3) + "*" + text(random, 2);
            if (seen.add(value)) {
                nodes.add(Rules.rule("path", value));
            }
        }
        var tree = Rules.tree(nodes.toArray(RuleNode[]::new));
        for (int i = 0; i < 2_000; i++) {
            var descriptor = Descriptor.of(new Entry("path", text(random, 8)));
            var found = tree.match(descriptor);
            assertThat(found == null ? "none" : found.path())
                    .as("seed %d, %s", seed, descriptor)
                    .isEqualTo(naive(nodes, descriptor));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void parts_between_stars_follow_each_other(long seed) {
        var random = new SplittableRandom(seed);
        for (int i = 0; i < 200; i++) {
            var nodes = List.of(Rules.rule("path", "*" + letters(random, 1, 3) + "*" + letters(random, 1, 3) + "*"));
            var tree = Rules.tree(nodes.toArray(RuleNode[]::new));
            for (int j = 0; j < 20; j++) {
                var descriptor = Descriptor.of(new Entry("path", letters(random, 0, 8)));
                var found = tree.match(descriptor);
                assertThat(found == null ? "none" : found.path())
                        .as("seed %d, tree %d, %s in %s", seed, i, descriptor, nodes)
                        .isEqualTo(naive(nodes, descriptor));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void rules_that_follow_others_are_the_same_as_if_they_came_first(long seed) {
        var random = new SplittableRandom(seed);
        int kept = 0;
        var former = RuleSet.of(List.of(Domain.of("shop", siblings(random, 3))));
        List<RuleNode> nodes = siblings(random, 3);
        for (int i = 0; i < 400; i++) {
            nodes = random.nextInt(20) == 0 ? siblings(random, 3) : changed(random, nodes);
            var domains = List.of(Domain.of("shop", nodes), Domain.of("bank", siblings(random, 1)));
            var alone = RuleSet.of(domains);
            var after = RuleSet.of(domains, former);
            var what = "seed %d, step %d, %s".formatted(seed, i, nodes);
            assertThat(after.rules().stream().map(MatchingLawTest::told).toList())
                    .as(what)
                    .isEqualTo(alone.rules().stream().map(MatchingLawTest::told).toList());
            for (int j = 0; j < 50; j++) {
                var descriptor = descriptor(random);
                assertThat(told(tree(after).way(descriptor)))
                        .as("%s, %s", what, descriptor)
                        .isEqualTo(told(tree(alone).way(descriptor)));
            }
            kept += (int)
                    after.rules().stream().filter(former.rules()::contains).count();
            former = after;
        }
        assertThat(kept).as("seed %d: rules that stayed", seed).isGreaterThan(500);
    }

    private static Tree tree(RuleSet rules) {
        return Objects.requireNonNull(rules.domain("shop"));
    }

    /** All that a rule says. */
    private static List<Object> told(Rule rule) {
        return List.of(
                rule.number(),
                rule.path(),
                rule.levels(),
                rule.limits(),
                rule.replaces(),
                rule.flags(),
                rule.metadata());
    }

    private static List<Object> told(Way way) {
        return List.of(way.landed(), way.below(), way.rule() == null ? "none" : told(way.rule()));
    }

    /** The nodes with one of them changed somewhere: another flag, a rule more or less, a node left out, two in another order. */
    private static List<RuleNode> changed(SplittableRandom random, List<RuleNode> nodes) {
        List<RuleNode> changed = new ArrayList<>(nodes);
        if (changed.isEmpty()) {
            return siblings(random, 3);
        }
        int place = random.nextInt(changed.size());
        var node = changed.get(place);
        switch (random.nextInt(9)) {
            case 0 -> changed.set(place, with(node, Rules.node("k", "v").rateLimit(), node.flags(), node.children()));
            case 1 -> changed.set(place, with(node, Rules.rule("k", "v").rateLimit(), node.flags(), node.children()));
            case 2 -> changed.set(place, Rules.shared(node));
            case 3 -> changed.remove(place);
            case 4 -> changed.addFirst(changed.removeLast());
            case 5 ->
                changed.set(
                        place,
                        new RuleNode(
                                node.key(),
                                node.value(),
                                node.rateLimit(),
                                node.flags(),
                                Map.of("step", random.nextInt(3)),
                                node.children()));
            default -> changed.set(place, with(node, node.rateLimit(), node.flags(), changed(random, node.children())));
        }
        return changed;
    }

    private static RuleNode with(
            RuleNode node, @Nullable RateLimit rateLimit, RuleNode.Flags flags, List<RuleNode> children) {
        return new RuleNode(node.key(), node.value(), rateLimit, flags, node.metadata(), children);
    }

    /** The page on matching, word for word: filter, filter, filter. */
    private static String naive(List<RuleNode> nodes, Descriptor descriptor) {
        String path = "shop";
        RuleNode node = null;
        List<RuleNode> level = nodes;
        for (var entry : descriptor.entries()) {
            var siblings =
                    level.stream().filter(n -> n.key().equals(entry.key())).toList();
            node = siblings.stream()
                    .filter(n -> !n.value().isEmpty() && n.value().equals(entry.value()))
                    .findFirst()
                    .or(() -> siblings.stream()
                            .filter(n -> glob(n.value(), entry.value()))
                            .findFirst())
                    .or(() -> siblings.stream().filter(n -> n.value().isEmpty()).findFirst())
                    .orElse(null);
            if (node == null) {
                return "none";
            }
            path += "." + (node.value().isEmpty() ? node.key() : node.key() + "_" + node.value());
            level = node.children();
        }
        return node == null || node.rateLimit() == null ? "none" : path;
    }

    /** Whether a pattern fits a text, by trying everything. A text without a star is no pattern. */
    private static boolean glob(String pattern, String text) {
        return pattern.contains("*") && fits(pattern, text);
    }

    private static boolean fits(String pattern, String text) {
        if (pattern.isEmpty()) {
            return text.isEmpty();
        }
        if (pattern.charAt(0) == '*') {
            return fits(pattern.substring(1), text) || (!text.isEmpty() && fits(pattern, text.substring(1)));
        }
        return !text.isEmpty() && text.charAt(0) == pattern.charAt(0) && fits(pattern.substring(1), text.substring(1));
    }

    private static List<RuleNode> siblings(SplittableRandom random, int depth) {
        List<RuleNode> nodes = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        int count = depth == 0 ? 0 : random.nextInt(6);
        for (int i = 0; i < count; i++) {
            String key = KEYS[random.nextInt(KEYS.length)];
            String value = text(random, 3);
            if (seen.add(key + "=" + value)) {
                RuleNode[] children = siblings(random, depth - 1).toArray(RuleNode[]::new);
                nodes.add(random.nextInt(4) == 0 ? Rules.node(key, value, children) : Rules.rule(key, value, children));
            }
        }
        return nodes;
    }

    private static Descriptor descriptor(SplittableRandom random) {
        var entries = new Entry[random.nextInt(1, 4)];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = new Entry(KEYS[random.nextInt(KEYS.length)], text(random, 4));
        }
        return Descriptor.of(entries);
    }

    private static String text(SplittableRandom random, int most) {
        var text = new StringBuilder();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }

    /** Of two letters only, so that the end of one part is often the start of another. */
    private static String letters(SplittableRandom random, int least, int most) {
        var text = new StringBuilder();
        for (int i = random.nextInt(least, most + 1); i > 0; i--) {
            text.append(random.nextBoolean() ? 'a' : 'b');
        }
        return text.toString();
    }
}
